"""Evaluates an agent that reads and writes plain text, as a language model does.

    python examples/text_agent.py

The agent gets a prompt with the name of the game, what its seat may know, and the legal actions, and answers in words.
The stub here answers with the first legal action and a little chatter; put a call to a model in its place. Answers that
hold no legal action count as misreadings and are replaced by a random action.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable
from typing import Any

import fourfold

#: Answers a prompt.
Model = Callable[[str], str]


def prompt(position: fourfold.Position) -> str:
    """What the model reads: nothing that its seat may not know."""
    view = position.view(position.seat)
    return (
        f"You play {position.game} on seat {position.seat}.\n"
        f"The board:\n{view!r}\n"
        f"Legal actions: {' '.join(view.legal())}\n"
        "Answer with one of them."
    )


def stub(text: str) -> str:
    """A model without a network: it likes the first legal action."""
    legal = re.search(r"Legal actions: (\S+)", text)
    return f"I think {legal.group(1) if legal else 'pass'} is best."


class TextAgent:
    """An agent of `fourfold.regret` that asks a model."""

    def __init__(self, model: Model, seed: int = 1) -> None:
        self.model, self.random = model, random.Random(seed)
        self.asked = self.misread = 0

    def __call__(self, position: fourfold.Position) -> str:
        """Asks, and takes the first word that is a legal action."""
        legal = set(position.legal())
        self.asked += 1
        for word in re.findall(r"[\w:@!+-]+", self.model(prompt(position))):
            if word in legal:
                return str(word)
        self.misread += 1
        return self.random.choice(sorted(legal))


def main(given: list[str] | None = None) -> fourfold.Regret:
    """Evaluates the stub."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="quarto", help="a game with its options (default: quarto)")
    parser.add_argument("--games", type=int, default=10, help="against random play (default: 10)")
    parser.add_argument("--level-games", type=int, default=4, help="against each level (default: 4)")
    arguments = parser.parse_args(given)
    agent = TextAgent(stub)
    found = fourfold.regret(agent, arguments.game, games=arguments.games, level_games=arguments.level_games)
    print(found)
    print(f"{agent.misread} of {agent.asked} answers held no legal action")
    return found


def show(found: fourfold.Regret) -> Any:
    """Draws the scores against the levels; needs matplotlib."""
    return found.plot()


if __name__ == "__main__":
    main()
