"""PettingZoo: one module for each game, with `env()` and `raw_env()`.

>>> from fourfold.pettingzoo import quixo_v0
>>> env = quixo_v0.env()
>>> env.reset(seed=1)
>>> env.agent_selection
'seat_1'
"""

from types import ModuleType

from . import four_v0, quarto_v0, quixo_v0, sequence_v0

__all__ = ["all_environments", "four_v0", "quarto_v0", "quixo_v0", "sequence_v0"]

#: Every module by its name, as `pettingzoo.utils.all_modules` lists those of PettingZoo.
all_environments: dict[str, ModuleType] = {
    "fourfold/quarto_v0": quarto_v0,
    "fourfold/quixo_v0": quixo_v0,
    "fourfold/sequence_v0": sequence_v0,
    "fourfold/four_v0": four_v0,
}
