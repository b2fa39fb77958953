"""The intermediate form of every language, the Python builder, and the definition that runs."""
