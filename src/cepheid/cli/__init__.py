"""The command line: arguments in, text out. It only calls `api`."""
