"""Quixo for PettingZoo; options of the game are keywords: `env(players=4)`."""

from typing import Any

from ._seats import SeatsEnv, wrapped

__all__ = ["env", "raw_env"]


def raw_env(**settings: Any) -> SeatsEnv:
    """The environment without wrappers: an illegal action raises `fourfold.IllegalAction`."""
    return SeatsEnv("quixo", **settings)


def env(**settings: Any) -> Any:
    """The environment in PettingZoo's usual wrappers: an illegal action loses the game."""
    return wrapped(raw_env(**{"illegal": "lose", **settings}))
