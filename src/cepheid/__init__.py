"""Cepheid: complex event processing for Python and Spark that says what a query will cost before it runs."""
