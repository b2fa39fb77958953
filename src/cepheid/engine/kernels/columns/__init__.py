"""Columns of values, what is computed of them, and the kernels that move them."""
