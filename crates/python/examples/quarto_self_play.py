"""Learns Quarto by playing against itself, in numpy alone, and holds what it learns against perfect play.

    python examples/quarto_self_play.py                     # some minutes
    python examples/quarto_self_play.py --games 500         # a taste
    python examples/quarto_self_play.py --plot curve.png    # the curve as a picture

The value of a position is a linear function of a few features of the rows on the board, trained towards the result of
each game. Every so often the share of decisions that give value away is measured with `fourfold.regret`: the curve.
"""

from __future__ import annotations

import argparse
from typing import Any

import fourfold
import numpy as np
from numpy.typing import NDArray

GAME = "quarto"
Floats = NDArray[np.float64]

SQUARES = np.arange(16).reshape(4, 4)
#: The ten rows of four, as numbers of squares.
ROWS = np.array([*SQUARES, *SQUARES.T, SQUARES.diagonal(), SQUARES[::-1].diagonal()])
#: The attributes of the sixteen pieces.
PIECES = np.arange(16)[:, None] >> np.arange(4) & 1 == 1


class Learner:
    """A linear value for the seat to act, with weights of their own for placing and for giving."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.encoding = fourfold.Encoding(GAME)
        self.weights: Floats = np.zeros(2 * 8)

    def features(self, observations: NDArray[np.uint8]) -> Floats:
        """What the value looks at: which pieces would complete a row, and how far rows have grown."""
        fields = self.encoding.split(observations)
        count = len(observations)
        taken = fields["occupied"].reshape(count, 16)[:, ROWS] == 1
        pieces = fields["pieces"].reshape(count, 16, 4)[:, ROWS] == 1
        stock, hand = fields["stock"] == 1, fields["hand"] == 1
        # Whether the pieces of each row share an attribute, or share its lack.
        shared = np.stack([(pieces | ~taken[..., None]).all(2), (~pieces | ~taken[..., None]).all(2)], -1)
        grown = [(taken.sum(2) == number)[..., None, None] & shared for number in (2, 3)]
        winning = grown[1].any(1)
        # A piece completes a row if it has what such a row shares.
        completes = np.stack([PIECES, ~PIECES], -1)[None] & winning[:, None]
        unsafe = completes.any((2, 3))
        safe = (stock & ~unsafe).sum(1)
        columns = [
            np.ones(count),
            (hand & unsafe).any(1),
            safe == 0,
            safe / 16,
            safe % 2,
            grown[0].sum((1, 2, 3)) / 10,
            grown[1].sum((1, 2, 3)) / 10,
            stock.sum(1) / 16,
        ]
        known = np.stack(columns, 1).astype(float)
        placing = hand.any(1)[:, None]
        return np.concatenate([known * placing, known * ~placing], 1)

    def choose(self, position: fourfold.Position) -> str:
        """The action whose position is worth most to the seat that acts."""
        actions = position.legal()
        after = [position.play(action) for action in actions]
        values = np.tanh(self.features(np.stack([self.encoding.observation(state) for state in after])) @ self.weights)
        for index, state in enumerate(after):
            if state.result is not None:
                values[index] = state.result[(position.seat or 1) - 1]
            elif state.seat != position.seat:
                values[index] = -values[index]
        # Equal values are decided by chance.
        return actions[int(np.argmax(values + self.random.random(len(values)) * 1e-6))]

    def learn(self, games: int, explore: float, rate: float) -> None:
        """Plays games side by side and moves the value towards their results."""
        env = fourfold.VectorEnv(GAME, min(games, 32), seed=int(self.random.integers(2**32)))
        # What was seen in the running games, and by which seat.
        seen: list[list[tuple[Floats, int]]] = [[] for _ in range(env.num_envs)]
        finished = 0
        while finished < games:
            features = self.features(env.observations)
            actions = env.sample().copy()
            for index in range(env.num_envs):
                seen[index].append((features[index], int(env.seats[index])))
                if self.random.random() > explore:
                    position = env.position(index)
                    actions[index] = position.encode(self.choose(position))
            env.step(actions)
            for ended in np.flatnonzero(env.terminations):
                self.fit(seen[ended], env.rewards[ended].astype(float), rate)
                seen[ended] = []
                finished += 1

    def fit(self, seen: list[tuple[Floats, int]], rewards: Floats, rate: float) -> None:
        """One step towards the result of a game, the last positions counting most."""
        features = np.stack([step for step, _ in seen])
        target = np.array([rewards[seat] for _, seat in seen]) * 0.9 ** np.arange(len(seen))[::-1]
        value = np.tanh(features @ self.weights)
        self.weights += rate * ((target - value) * (1 - value**2)) @ features


#: After so many games: the share of decisions that give value away, and its interval.
Curve = list[tuple[int, float, tuple[float, float]]]


def main(given: list[str] | None = None) -> Curve:
    """Learns and prints the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000, help="to learn from (default: 2000)")
    parser.add_argument("--points", type=int, default=5, help="measurements on the way (default: 5)")
    parser.add_argument("--judged-games", type=int, default=40, help="for each measurement (default: 40)")
    parser.add_argument("--plot", metavar="FILE", help="draw the curve into this file (needs matplotlib)")
    arguments = parser.parse_args(given)
    learner, curve = Learner(1), Curve()
    part = arguments.games // max(1, arguments.points - 1)
    for point in range(arguments.points):
        if point:
            learner.learn(part, explore=0.2, rate=0.1 / point)
        found = fourfold.regret(learner.choose, GAME, games=arguments.judged_games, seconds=2, levels=[])
        low, high = found.interval
        print(f"{point * part:6} games: {found.rate:6.1%} of decisions give value away ({low:.1%} to {high:.1%})")
        curve.append((point * part, found.rate, found.interval))
    if arguments.plot:
        show(curve).figure.savefig(arguments.plot)
    return curve


def show(curve: Curve) -> Any:
    """Draws the curve of regret against perfect play; needs matplotlib."""
    from matplotlib import pyplot

    games, rates = [games for games, _, _ in curve], [rate for _, rate, _ in curve]
    below = [rate - low for _, rate, (low, _) in curve]
    above = [high - rate for _, rate, (_, high) in curve]
    _, axes = pyplot.subplots()
    axes.errorbar(games, rates, yerr=[below, above], marker="o", capsize=3)
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("decisions that give value away")
    axes.set_ylim(bottom=0)
    return axes


if __name__ == "__main__":
    main()
