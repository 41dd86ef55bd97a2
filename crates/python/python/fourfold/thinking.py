"""Searching without keeping a bot: one is made for each game and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ._core import Bot, Position, SearchResult, Tables

__all__ = ["analyse", "search", "solve"]


@lru_cache(maxsize=8)
def _bot(game: str, level: int, seed: int, tables: Tables | None) -> Bot:
    return Bot(game, level, seed=seed, tables=tables)


def search(
    position: Position,
    *,
    level: int = 8,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int = 1,
    earlier: Sequence[Position] = (),
    tables: Tables | None = None,
) -> SearchResult:
    """What a bot of a level plays, with what it found; a second of search unless limits are given.

    >>> import fourfold
    >>> won = fourfold.Game("quarto").position("..../..../..../123. 5 1 c1")
    >>> fourfold.search(won).action
    'd1'
    """
    bot = _bot(str(position.game), level, seed, tables)
    return bot.search(position, earlier=list(earlier), seconds=seconds, nodes=nodes)


def analyse(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    earlier: Sequence[Position] = (),
    tables: Tables | None = None,
) -> SearchResult:
    """Values every legal action as well as the limits allow, best first.

    >>> import fourfold
    >>> won = fourfold.Game("quarto").position("..../..../..../123. 5 1 c1")
    >>> fourfold.analyse(won, nodes=10_000).scored[0]
    ('d1', Value(win in 1))
    """
    bot = _bot(str(position.game), 8, 1, tables)
    return bot.analyse(position, earlier=list(earlier), seconds=seconds, nodes=nodes)


def solve(position: Position, *, seconds: float = 10.0, tables: Tables | None = None) -> SearchResult:
    """Values every legal action exactly, or raises `Unsolved`.

    Quarto is solved by its book and its solver; Quixo for two by tables, and near the end of a game without them.

    >>> import fourfold
    >>> fourfold.solve(fourfold.Game("quarto").start()).value
    Value(draw)
    """
    return _bot(str(position.game), 8, 1, tables).solve(position, seconds=seconds)
