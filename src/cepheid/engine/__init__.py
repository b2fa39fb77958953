"""Runs a plan in this process."""
