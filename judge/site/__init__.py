"""Pages of the public games, for anybody to browse: static files, safe to serve anywhere.

They tell what a stranger may read by mail: the game is asked for it as for a reader whom nobody
knows. `build` keeps a folder of pages up to date.
"""
