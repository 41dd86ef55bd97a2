"""Quarto, Quixo, Sequence and Four: rules, bots, exact values, and environments that step millions of games a second.

>>> import fourfold
>>> position = fourfold.Game("quarto").start().play("7", "b2", "c")
>>> position.seat
1
>>> fourfold.search(position, nodes=1000).action in position.legal()
True

The environments of other libraries are in modules of their own, which need those libraries:
`fourfold.gymnasium`, `fourfold.pettingzoo` and `fourfold.open_spiel`.
"""

from ._core import (
    Bot,
    Game,
    IllegalAction,
    Match,
    Position,
    Puzzle,
    Record,
    SearchResult,
    SmallQuixo,
    Tables,
    Unsolved,
    Value,
    View,
    __version__,
    puzzles,
)
from .encoding import Encoding, Field
from .regret import Regret, regret
from .thinking import analyse, search, solve
from .vector import VectorEnv

__all__ = [
    "Bot",
    "Encoding",
    "Field",
    "Game",
    "IllegalAction",
    "Match",
    "Position",
    "Puzzle",
    "Record",
    "Regret",
    "SearchResult",
    "SmallQuixo",
    "Tables",
    "Unsolved",
    "Value",
    "VectorEnv",
    "View",
    "__version__",
    "analyse",
    "puzzles",
    "regret",
    "search",
    "small_quixo",
    "solve",
]


def small_quixo(size: int) -> SmallQuixo:
    """Quixo on a board of 3 or 4 cubes a side, solved.

    >>> import fourfold
    >>> fourfold.small_quixo(3).num_actions
    20
    """
    return SmallQuixo(size)
