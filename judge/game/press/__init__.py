"""Press: who may write what to whom, and what readers see of it."""
