"""Games: what a mail and what a deadline do to them. `service` holds the only two transactions."""
