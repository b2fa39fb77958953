"""Physical operators, and what each may forget."""
