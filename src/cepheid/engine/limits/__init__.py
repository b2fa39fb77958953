"""What is promised of the input, and what is refused because of it."""
