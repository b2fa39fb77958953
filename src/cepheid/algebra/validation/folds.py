"""Values of a group that nothing computes.

repeat r: 3 of a: A with total = sum of a.amount          `r.totl` is null in every match
"""

from collections.abc import Iterator, Mapping

from cepheid.algebra.expressions import Field
from cepheid.algebra.patterns import Atom, Collect, Pattern, Repeat
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation.finding import finding
from cepheid.algebra.validation.scopes import Scope
from cepheid.diagnostics import Diagnostic, close_match

Groups = Mapping[str, tuple[Repeat | Collect, ...]]


def groups_of(pattern: Pattern) -> Groups:
    """Return the repetitions and collections of a pattern by their names, of which branches may share one."""
    found: dict[str, tuple[Repeat | Collect, ...]] = {}
    for node in walk(pattern):
        if isinstance(node, Repeat | Collect):
            found[node.name] = (*found.get(node.name, ()), node)
    return found


def missing_folds(scope: Scope, groups: Groups) -> Iterator[Diagnostic]:
    """Yield a finding for every value that is read of a group which does not have it."""
    for item in dict.fromkeys(walk(scope.reads)) if groups else ():
        match item:
            case Field(part, name) if part in groups and all(name not in group.folds for group in groups[part]):
                yield _missing(name, groups[part][0], scope)


def _missing(name: str, group: Repeat | Collect, scope: Scope) -> Diagnostic:
    closest = close_match(name, group.folds)
    items = (node.name for node in walk(group.item) if isinstance(node, Atom))
    computed = f"{name} = last of {next(items, 'a')}.{name}"
    hint = f"did you mean `{closest}`?" if closest else f"compute it where the group stands: `with {computed}`"
    return finding("unknown-fold", f"the group `{group.name}` has no value `{name}`", scope.pattern, hint)
