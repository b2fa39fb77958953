"""Files, sockets, Kafka, databases: bytes to record batches, and matches to bytes."""
