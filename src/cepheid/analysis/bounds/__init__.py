"""Numbers that grow with declared rates, and how they are said."""
