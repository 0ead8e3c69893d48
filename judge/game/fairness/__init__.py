"""What players can check: the draw of the powers, and the seals of orders."""
