"""Rules at work: which operators they have, and how they feed each other."""
