"""Functions and processors for kinds of events."""
