"""Functions and texts become machine code, which is kept in the user's cache."""
