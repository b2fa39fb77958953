"""How events come to kernels, and matches from them."""
