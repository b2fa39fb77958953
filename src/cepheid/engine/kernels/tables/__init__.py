"""What operators give each other: given events, what is made of them, and occurrences of patterns."""
