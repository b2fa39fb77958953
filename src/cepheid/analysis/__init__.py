"""Facts about a query, the plan with its state bounds, and the certificate."""
