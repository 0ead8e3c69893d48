"""Letters from templates: facts in, words out. Decides nothing."""
