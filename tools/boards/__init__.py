"""Make the drawings in `variants/maps/`: see docs/maps.md. Needs the extra `drawing`."""
