"""eSQL beside `cepheid.compile`: sessions, in which definitions, palettes and tables stay.

>>> import cepheid
>>> session = cepheid.esql.Session(tables={"stocks": [{"symbol": "A", "price": 3}, {"symbol": "A", "price": 5}]})
>>> session.compile("SELECT symbol, SUM(price) AS total FROM stocks GROUP BY symbol").run()
[{'symbol': 'A', 'total': 8}]
"""

from cepheid.api.esql.queries import EsqlQuery
from cepheid.api.esql.sessions import Session

__all__ = ["EsqlQuery", "Session"]
