"""The use cases of eSQL: sessions, queries that give values, and connections of PEP 249."""
