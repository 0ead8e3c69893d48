"""Who may know what: fog, identities, seals, unsigned press. Imports only the state of a game."""
