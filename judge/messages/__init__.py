"""Events become messages: addressed, worded for each reader, illustrated, and queued."""
