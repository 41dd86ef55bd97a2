"""Any of the games as PettingZoo's environment of agents that act in turn."""

from __future__ import annotations

import random
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .._core import Game, Position
from ..encoding import Encoding


class SeatsEnv(AECEnv):  # type: ignore[misc]
    """A game whose agents are its seats, `seat_1` and so on; chance is played inside.

    An agent observes what its seat may know. The mask of its legal actions is in `infos[agent]["action_mask"]`; with
    `mask="observation"` an observation is a dictionary of `observation` and `action_mask`, as in PettingZoo's classic
    games. An illegal action raises `IllegalAction`; with `illegal="lose"` it ends the game, and its agent gets -1.
    """

    def __init__(
        self,
        name: str,
        *,
        render_mode: str | None = None,
        max_steps: int = 10_000,
        mask: Literal["info", "observation"] = "info",
        illegal: Literal["raise", "lose"] = "raise",
        **options: Any,
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"{name}_v0", "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}
        text = ",".join(f"{option}={value}" for option, value in options.items())
        self.game = Game(f"{name}({text})")
        self.encoding = Encoding(self.game)
        self.render_mode = render_mode
        self.max_steps = max_steps
        self.possible_agents = [f"seat_{number}" for number in range(1, self.game.seats + 1)]
        count = self.encoding.num_actions
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.mask, self.illegal = mask, illegal
        board = spaces.Box(0, 255, (self.encoding.observation_size,), np.uint8)
        masked: dict[str, spaces.Space[Any]] = {
            "observation": board,
            "action_mask": spaces.Box(0, 1, (count,), np.int8),
        }
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: board if mask == "info" else spaces.Dict(masked) for agent in self.possible_agents
        }
        self._random = random.Random()
        self.position = self.game.start()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game."""
        if seed is not None:
            self._random = random.Random(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._go_on(self.game.start())

    def step(self, action: int | None) -> None:
        """Plays the action of the agent to act."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is expected while the game goes on")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._steps += 1
        acting, legal = self.agent_selection, self._mask(self.agent_selection)
        if self.illegal == "lose" and not (0 <= action < len(legal) and legal[action]):
            self.rewards[acting] = -1.0
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            return
        self._go_on(self.position.play(self.position.decode(int(action))))
        result = self.position.result
        if result is not None:
            self.rewards = dict(zip(self.possible_agents, result, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        """What an agent knows, and with `mask="observation"` what it may do now."""
        known = self.encoding.observation(self.position, self.possible_agents.index(agent) + 1)
        return known if self.mask == "info" else {"observation": known, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        mask = np.zeros(self.encoding.num_actions, np.int8)
        if self.position.seat == self.possible_agents.index(agent) + 1:
            mask[:] = self.encoding.mask(self.position)[: len(mask)]
        return mask

    def render(self) -> str | None:
        """The board in letters."""
        return None if self.render_mode is None else repr(self.position)

    def close(self) -> None:
        """Nothing is held that would have to be let go."""

    def _go_on(self, position: Position) -> None:
        """Plays for chance until an agent is to act."""
        while position.is_chance:
            actions, odds = zip(*position.chances(), strict=True)
            position = position.play(self._random.choices(actions, odds)[0])
        self.position = position
        if position.seat is not None:
            self.agent_selection = self.possible_agents[position.seat - 1]
            self.infos[self.agent_selection] = {"action_mask": self._mask(self.agent_selection)}
        elif self._steps:
            # After the end the agents leave in turn order.
            at = self.possible_agents.index(self.agent_selection)
            self.agent_selection = self.possible_agents[(at + 1) % len(self.possible_agents)]


def wrapped(env: SeatsEnv) -> Any:
    """An environment in the wrappers that PettingZoo's own classic games wear."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
