"""What masters do beyond settings: acting for others, rollback, and the log of it all."""
