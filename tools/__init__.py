"""Programs only developers run; nothing here is installed with the judge."""
