"""Kernels that join, and the rows and lists that they look at."""
