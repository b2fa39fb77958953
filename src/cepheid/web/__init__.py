"""The web door: requests in, JSON or HTML out. It only calls `api`."""
