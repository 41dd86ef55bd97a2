"""Quixo on 3×3, and on 4×4 with patience, by a tabular method, compared with the solution.

    python examples/small_quixo_values.py
    python examples/small_quixo_values.py --size 4 --games 200000

Every position that occurs gets a number, moved after each game towards what followed it (TD(0) on afterstates). Then
the greedy choice by these numbers is held against the exact value of every position that occurred.
"""

from __future__ import annotations

import argparse
import random

import fourfold

State = tuple[int, int]


def learn(
    board: fourfold.SmallQuixo, games: int, explore: float, rate: float, chooser: random.Random
) -> dict[State, float]:
    """The value of each position for the side to move, learned from self-play."""
    values: dict[State, float] = {}
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
    return values


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


def main() -> float:
    """Learns and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3, choices=[3, 4], help="cubes a side (default: 3)")
    parser.add_argument("--games", type=int, default=20_000, help="to learn from (default: 20000)")
    arguments = parser.parse_args()
    board = fourfold.small_quixo(arguments.size)
    print(f"the start is a {board.value(*board.start)} by the solution")
    values = learn(board, arguments.games, explore=0.3, rate=0.2, chooser=random.Random(1))
    judged, wrong = errors(board, values)
    print(
        f"{len(values)} positions occurred; at {wrong} of {judged} the learned choice gives value away "
        f"({wrong / max(1, judged):.1%})"
    )
    return wrong / max(1, judged)


if __name__ == "__main__":
    main()
