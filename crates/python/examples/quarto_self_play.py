"""Learns Quarto by playing against itself, in numpy alone, and holds what it learns against perfect play.

    python examples/quarto_self_play.py                # some minutes
    python examples/quarto_self_play.py --games 2000   # a taste

The value of a position is a linear function of random features of what lies on the board, trained towards the result of
each game. Every so often the share of decisions that give value away is measured with `fourfold.regret`: the curve.
"""

from __future__ import annotations

import argparse

import fourfold
import numpy as np
from numpy.typing import NDArray

GAME = "quarto"
Floats = NDArray[np.float32]


class Learner:
    """A linear value of pairs of features, for the seat that has just acted."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.encoding = fourfold.Encoding(GAME)
        # Random products of features see what single ones cannot: several pieces in a line.
        size, hidden = self.encoding.observation_size, 512
        self.mixing = self.random.normal(0, size**-0.5, (size, hidden)).astype(np.float32)
        self.weights: Floats = np.zeros(hidden, np.float32)

    def features(self, observations: NDArray[np.uint8]) -> Floats:
        """What the value looks at."""
        return np.maximum(observations.astype(np.float32) @ self.mixing, 0)

    def choose(self, position: fourfold.Position) -> str:
        """The action whose position is worth most to the seat that acts."""
        actions = position.legal()
        after = [position.play(action) for action in actions]
        values = []
        for next_position in after:
            result = next_position.result
            if result is not None:
                values.append(result[(position.seat or 1) - 1])
                continue
            value = float(np.tanh(self.features(self.encoding.observation(next_position)) @ self.weights))
            values.append(value if next_position.seat == position.seat else -value)
        return actions[int(np.argmax(values))]

    def learn(self, games: int, explore: float, rate: float) -> None:
        """Plays games in a batch and moves the value towards their results."""
        env = fourfold.VectorEnv(GAME, min(games, 256), seed=int(self.random.integers(2**32)))
        # What was seen in the running games, and by which seat.
        seen: list[list[tuple[Floats, int]]] = [[] for _ in range(env.num_envs)]
        finished = 0
        while finished < games:
            features = self.features(env.observations)
            for index in range(env.num_envs):
                seen[index].append((features[index], int(env.seats[index])))
            actions = env.sample().copy()
            greedy = np.flatnonzero(self.random.random(env.num_envs) > explore)[:4]
            for index in greedy:
                position = env.position(int(index))
                actions[index] = position.encode(self.choose(position))
            env.step(actions)
            for index in np.flatnonzero(env.terminations):
                self.fit(seen[index], env.rewards[index], rate)
                seen[index] = []
                finished += 1

    def fit(self, seen: list[tuple[Floats, int]], rewards: Floats, rate: float) -> None:
        """One step towards the result of a game, the last positions counting most."""
        features = np.stack([step for step, _ in seen])
        target = np.array([rewards[seat] for _, seat in seen], np.float32)
        target *= 0.9 ** np.arange(len(seen))[::-1]
        value = np.tanh(features @ self.weights)
        self.weights += rate * ((target - value) * (1 - value**2)) @ features / len(seen)


def main() -> list[float]:
    """Learns and prints the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="to learn from (default: 40000)")
    parser.add_argument("--points", type=int, default=6, help="measurements on the way (default: 6)")
    parser.add_argument("--judged-games", type=int, default=40, help="for each measurement (default: 40)")
    arguments = parser.parse_args()
    learner, curve = Learner(1), []
    for point in range(arguments.points):
        if point:
            learner.learn(arguments.games // max(1, arguments.points - 1), explore=0.3, rate=0.01)
        found = fourfold.regret(learner.choose, GAME, games=arguments.judged_games, seconds=2, levels=[])
        low, high = found.interval
        print(
            f"{point * arguments.games // max(1, arguments.points - 1):8} games: "
            f"{found.rate:6.1%} of decisions give value away ({low:.1%} to {high:.1%})"
        )
        curve.append(found.rate)
    return curve


if __name__ == "__main__":
    main()
