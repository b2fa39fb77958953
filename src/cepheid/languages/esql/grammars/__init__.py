"""The grammar of eSQL, which grows while it is used: tokens, rules, readings of a text, definitions, the printer."""
