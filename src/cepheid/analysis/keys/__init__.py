"""By which keys a rule can be run apart."""
