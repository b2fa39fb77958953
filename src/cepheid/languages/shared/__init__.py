"""What languages have in common: conditions and values, literals, names, lengths of time, and trees to read them from.

`expressions.lark` is the grammar of conditions; a language's own grammar imports it.
"""
