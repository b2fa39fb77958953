"""What is promised of a query, and what is found wanting."""
