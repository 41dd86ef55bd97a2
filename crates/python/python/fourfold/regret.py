"""How far an agent is from perfect play, and how it does against the bots."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ._core import Bot, Game, Position, Tables, Unsolved
from .thinking import solve

__all__ = ["Agent", "LevelScore", "Regret", "regret"]

#: An agent chooses an action of a position, as text or as a number.
Agent = Callable[[Position], "str | int"]


@dataclass(frozen=True)
class LevelScore:
    """Games against a bot of one level."""

    level: int
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game, a draw counting half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score (Wilson, as if a draw were half a win)."""
        return wilson(self.score * self.games, self.games)

    @property
    def elo(self) -> float:
        """The difference in Elo that the score stands for; infinite if every game was won or lost."""
        return _elo(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The difference in Elo at both ends of the 95 % interval of the score."""
        low, high = self.interval
        return _elo(low), _elo(high)


@dataclass(frozen=True)
class Regret:
    """What `regret` found."""

    game: str
    #: Decisions whose value is known and at which a wrong action was possible.
    judged: int
    #: Decisions that gave a win or a draw away.
    lost_value: int
    #: Decisions that could not be solved in time, or at which every action was as good.
    left_out: int
    levels: tuple[LevelScore, ...] = field(default=())

    @property
    def rate(self) -> float:
        """The share of judged decisions that gave value away; 0 for perfect play."""
        return self.lost_value / self.judged if self.judged else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate (Wilson)."""
        return wilson(self.lost_value, self.judged)

    def plot(self, axes: Any = None) -> Any:
        """Draws the scores against the levels with their intervals and Elo, the rate above; needs matplotlib."""
        from matplotlib import pyplot

        if axes is None:
            _, axes = pyplot.subplots()
        for score in self.levels:
            low, high = score.interval
            reach = [[max(0.0, score.score - low)], [max(0.0, high - score.score)]]
            axes.bar(score.level, score.score, yerr=reach, capsize=3, color="C0")
            axes.text(score.level, 1.02, _signed(score.elo), ha="center", fontsize="small")
        axes.set_xticks([score.level for score in self.levels])
        axes.set_xlabel("level of the bot (above: difference in Elo)")
        axes.set_ylabel("points a game")
        axes.set_ylim(0, 1.1)
        low, high = self.interval
        axes.set_title(f"{self.game}: {self.rate:.1%} of decisions give value away ({low:.1%} to {high:.1%})")
        return axes

    def __str__(self) -> str:
        low, high = self.interval
        lines = [
            f"{self.game}: {self.rate:.1%} of {self.judged} decisions give value away "
            f"(95 %: {low:.1%} to {high:.1%}; {self.left_out} left out)"
        ]
        lines += [
            f"level {level.level}: {level.score:.2f} points a game in {level.games}, Elo {_signed(level.elo)} "
            f"(95 %: {_signed(level.elo_interval[0])} to {_signed(level.elo_interval[1])})"
            for level in self.levels
        ]
        return "\n".join(lines)


def _elo(score: float) -> float:
    """The difference in Elo that a score stands for."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def _signed(elo: float) -> str:
    """A difference in Elo as people write it."""
    return ("+∞" if elo > 0 else "−∞") if math.isinf(elo) else f"{elo:+.0f}"


def wilson(hits: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share by Wilson's method; everything is possible before the first count."""
    if count == 0:
        return 0.0, 1.0
    share, square = hits / count, z * z / count
    centre = (share + square / 2) / (1 + square)
    spread = z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def regret(
    agent: Agent,
    game: Game | str,
    *,
    games: int = 20,
    seconds: float = 1.0,
    levels: Iterable[int] = range(1, 9),
    level_games: int = 10,
    level_nodes: int = 2_000,
    seed: int = 1,
    tables: Tables | None = None,
) -> Regret:
    """Measures an agent against perfect play and against the bots.

    The agent plays `games` against random actions, and each of its decisions is held against the exact values, found
    within `seconds`; then it plays `level_games` against each level. A game's first seat changes from game to game.

    >>> import fourfold, random
    >>> chooser = random.Random(1)
    >>> found = fourfold.regret(lambda position: chooser.choice(position.legal()), "quarto", games=1, levels=[])
    >>> 0 <= found.rate <= 1
    True
    """
    game = game if isinstance(game, Game) else Game(game)
    chooser = random.Random(seed)
    judged = lost = left_out = 0
    for number in range(games):
        position = game.start()
        own = number % game.seats + 1
        while not position.is_over:
            if position.seat != own:
                position = position.play(_at_random(position, chooser))
                continue
            action = _asked(agent, position)
            verdict = _verdict(position, action, seconds, tables)
            if verdict is None:
                left_out += 1
            else:
                judged += 1
                lost += verdict
            position = position.play(action)
    scores = tuple(_against(agent, game, level, level_games, level_nodes, chooser) for level in levels)
    return Regret(str(game), judged, lost, left_out, scores)


def _asked(agent: Agent, position: Position) -> str:
    action = agent(position)
    return action if isinstance(action, str) else position.decode(int(action))


def _at_random(position: Position, chooser: random.Random) -> str:
    if position.is_chance:
        actions, odds = zip(*position.chances(), strict=True)
        return str(chooser.choices(actions, odds)[0])
    return chooser.choice(position.legal())


def _verdict(position: Position, action: str, seconds: float, tables: Tables | None) -> bool | None:
    """Whether the action gives value away; None where that cannot be said, or nothing could go wrong."""
    try:
        found = solve(position, seconds=seconds, tables=tables)
    except Unsolved:
        return None
    kinds = {value.kind for _, value in found.scored}
    return None if len(kinds) == 1 else action not in found.optimal


def _against(agent: Agent, game: Game, level: int, games: int, nodes: int, chooser: random.Random) -> LevelScore:
    results = [0, 0, 0]
    for number in range(games):
        bot = Bot(game, level, seed=chooser.getrandbits(32))
        own = number % game.seats + 1
        position, played = game.start(), 0
        while not position.is_over and played < 2_000:
            if position.is_chance:
                action = _at_random(position, chooser)
            elif position.seat == own:
                action = _asked(agent, position)
            else:
                action = bot.choose(position, nodes=nodes)
            position = position.play(action)
            played += 1
        result = position.result
        results[1 if result is None else 1 - int(result[own - 1])] += 1
    return LevelScore(level, *results)
