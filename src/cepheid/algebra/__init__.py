"""The one form that every language is compiled to, and the Python builder."""
