"""The clock of a game: deadlines, reminders, absences, pauses, and time given back."""
