"""A whole game played by mail, to be watched: `judge demo`.

Seven players with habits of their own write to a real daemon over SMTP and read their Maildirs.
They know the judge only by its messages. First they play the sample game of the 2023 rulebook,
which is checked phase by phase, then whatever their messages offer until the game ends.
"""
