"""PettingZoo: one module for each game, with `env()` and `raw_env()`, registered when this is imported.

The games are played in turns, so that there are no parallel environments. Where PettingZoo has a registry,
`pettingzoo.make("aec", "fourfold/quixo_v0")` makes them too.

>>> from fourfold.pettingzoo import quixo_v0
>>> env = quixo_v0.env()
>>> env.reset(seed=1)
>>> env.agent_selection
'seat_1'
"""

from types import ModuleType

import pettingzoo

from . import four_v0, quarto_v0, quixo_v0, sequence_v0

__all__ = ["all_environments", "four_v0", "quarto_v0", "quixo_v0", "sequence_v0"]

#: Every module by its name, as `pettingzoo.utils.all_modules` lists those of PettingZoo.
all_environments: dict[str, ModuleType] = {
    "fourfold/quarto_v0": quarto_v0,
    "fourfold/quixo_v0": quixo_v0,
    "fourfold/sequence_v0": sequence_v0,
    "fourfold/four_v0": four_v0,
}

# PettingZoo has a registry since 1.27.
if hasattr(pettingzoo, "register"):
    for _name, _module in all_environments.items():
        pettingzoo.register("aec", _name, entry_point=f"{_module.__name__}:env")
