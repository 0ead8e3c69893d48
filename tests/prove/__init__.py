"""Proof of the engine by other means: an independent resolver that tries every outcome."""
