"""Kernels made for one sequence of points in time: slots, runs, queues, graphs and collections."""
