"""Quixo on 3×3, and on 4×4 with patience, by a tabular method, compared with the solution.

    python examples/small_quixo_values.py
    python examples/small_quixo_values.py --size 4 --games 200000

Every position that occurs gets a number, moved after each game towards what followed it (TD(0) on afterstates). Every
so often the greedy choice by these numbers is held against the exact value of every position that occurred.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import fourfold

State = tuple[int, int]


def learn(
    board: fourfold.SmallQuixo,
    values: dict[State, float],
    games: int,
    explore: float,
    rate: float,
    chooser: random.Random,
) -> None:
    """Learns the value of each position for the side to move from self-play."""
    for _ in range(games):
        state, path = board.start, [board.start]
        # A game that goes on for ever is a draw.
        for _ in range(60):
            result = board.result(*state)
            if result is not None:
                break
            after = [board.after(*state, push) for push in board.legal(*state)]
            if chooser.random() < explore:
                state = chooser.choice(after)
            else:
                state = min(after, key=lambda next_state: values.get(next_state, 0.0))
            path.append(state)
        value = float(board.result(*state) or 0)
        for state in reversed(path):
            old = values.get(state, 0.0)
            values[state] = value if board.result(*state) is not None else old + rate * (value - old)
            value = -values[state]


def errors(board: fourfold.SmallQuixo, values: dict[State, float]) -> tuple[int, int]:
    """How many positions were judged, and at how many the greedy choice gives value away."""
    judged = wrong = 0
    for state in values:
        pushes = board.legal(*state)
        exact = {push: (-board.value(*board.after(*state, push))).score for push in pushes}
        if len(set(exact.values())) < 2:
            continue
        chosen = min(pushes, key=lambda push: values.get(board.after(*state, push), 0.0))
        judged += 1
        wrong += exact[chosen] < max(exact.values())
    return judged, wrong


#: After so many games: the share of positions at which the learned choice gives value away.
Curve = list[tuple[int, float]]


def main(given: list[str] | None = None) -> Curve:
    """Learns and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3, choices=[3, 4], help="cubes a side (default: 3)")
    parser.add_argument("--games", type=int, default=20_000, help="to learn from (default: 20000)")
    parser.add_argument("--points", type=int, default=5, help="comparisons on the way (default: 5)")
    arguments = parser.parse_args(given)
    board = fourfold.small_quixo(arguments.size)
    print(f"the start is a {board.value(*board.start)} by the solution")
    values: dict[State, float] = {}
    chooser, curve = random.Random(1), Curve()
    for point in range(1, arguments.points + 1):
        part = arguments.games // arguments.points
        learn(board, values, part, explore=0.3, rate=0.2, chooser=chooser)
        judged, wrong = errors(board, values)
        print(
            f"{point * part:7} games: {len(values)} positions occurred; at {wrong} of {judged} "
            f"the learned choice gives value away ({wrong / max(1, judged):.1%})"
        )
        curve.append((point * part, wrong / max(1, judged)))
    return curve


def show(curve: Curve) -> Any:
    """Draws how the choices come closer to the solution; needs matplotlib."""
    from matplotlib import pyplot

    _, axes = pyplot.subplots()
    axes.plot([games for games, _ in curve], [share for _, share in curve], marker="o")
    axes.set_xlabel("games of self-play")
    axes.set_ylabel("positions at which value is given away")
    axes.set_ylim(bottom=0)
    return axes


if __name__ == "__main__":
    main()
