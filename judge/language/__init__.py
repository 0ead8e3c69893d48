"""The language of orders: names as people write them, orders in every notation, orders in words."""
