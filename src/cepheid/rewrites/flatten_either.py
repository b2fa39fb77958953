"""Put branches of branches side by side.

    (a | b) | c   ==>   a | b | c

A choice by latest start between branches decides ties by their order. It is the same order if the inner branches were
chosen from in the same way; if they were not chosen from at all, it is not, and they stay together.
"""

from dataclasses import replace

from cepheid.algebra.patterns import Either, Pattern, Select


def flatten_either(pattern: Pattern, *, below_choice: bool) -> Pattern:
    match pattern:
        case Select(Either(branches) as either, policy):
            parts = [
                branch.pattern.branches
                if isinstance(branch, Select) and isinstance(branch.pattern, Either) and branch.policy == policy
                else (branch,)
                for branch in branches
            ]
        case Either(branches) as either if not below_choice:
            parts = [branch.branches if isinstance(branch, Either) else (branch,) for branch in branches]
        case _:
            return pattern
    flat = tuple(branch for part in parts for branch in part)
    if len(flat) == len(branches):
        return pattern
    flattened = replace(either, branches=flat)
    return replace(pattern, pattern=flattened) if isinstance(pattern, Select) else flattened
