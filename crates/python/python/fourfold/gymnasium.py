"""Gymnasium: `gymnasium.make("fourfold/Quarto-v0")` and `gymnasium.make_vec`, registered when this is imported.

The agent plays one seat, another one in each game, against uniformly random opponents; with `opponents="none"` it plays
every seat in turn and is rewarded for the seat that acted. An illegal action loses its game (`illegal="raise"` refuses
it instead); `info["action_mask"]` says what is legal.

>>> import gymnasium, fourfold.gymnasium
>>> env = gymnasium.make_vec("fourfold/Quarto-v0", num_envs=3)
>>> observations, info = env.reset(seed=1)
>>> observations.shape, info["action_mask"].shape
((3, 128), (3, 34))
>>> env.close()
"""

from __future__ import annotations

import secrets
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._core import Game
from .vector import VectorEnv as _VectorEnv

__all__ = ["Env", "VectorEnv"]

Observations = NDArray[np.uint8]


class VectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[np.float64]]):
    """`fourfold.VectorEnv` as Gymnasium's; `env.fast` is the environment beneath."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        threads: int = 1,
        opponents: Literal["none", "random"] = "random",
        illegal: Literal["raise", "lose"] = "lose",
        max_steps: int = 10_000,
        packed: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.fast: _VectorEnv = _VectorEnv(
            game,
            num_envs,
            threads,
            autoreset="next_step",
            opponents=opponents,
            illegal=illegal,
            max_steps=max_steps,
            packed=packed,
            seed=secrets.randbits(64),
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        size = self.fast.observations.shape[1]
        self.single_observation_space = gymnasium.spaces.Box(0, 255, (size,), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.fast.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins new games; a list has a seed for each environment, or None to choose one."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        if isinstance(seed, list):
            self.fast.reset([secrets.randbits(64) if number is None else number for number in seed])
        else:
            self.fast.reset(seed)
        return self.fast.observations.copy(), self._info()

    def step(  # type: ignore[override]  # Gymnasium's own environments give truth values too.
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in each environment."""
        acting = self.fast.seats.copy()
        self.fast.step(actions)
        rewards = self.fast.rewards[np.arange(self.num_envs), acting].astype(np.float64)
        ended = self.fast.terminations.astype(bool), self.fast.truncations.astype(bool)
        return self.fast.observations.copy(), rewards, *ended, self._info()

    def render(self) -> tuple[str, ...] | None:
        """The boards in letters."""
        if self.render_mode is None:
            return None
        return tuple(repr(self.fast.position(index)) for index in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self.fast.close()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.fast.action_masks.copy(), "seat": self.fast.seats.copy()}


class Env(gymnasium.Env[Observations, np.int64]):
    """One game: a `VectorEnv` of one."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, game: Game | str, *, render_mode: str | None = None, **settings: Any) -> None:
        self._vector = VectorEnv(game, 1, **settings)
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins a new game."""
        super().reset(seed=seed)
        observations, info = self._vector.reset(seed=seed)
        return observations[0], {name: array[0] for name, array in info.items()}

    def step(self, action: np.int64) -> tuple[Observations, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays one action."""
        observations, rewards, terminated, truncated, info = self._vector.step(np.array([action]))
        own = {name: array[0] for name, array in info.items()}
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), own

    def render(self) -> str | None:
        """The board in letters."""
        return None if self.render_mode is None else repr(self._vector.fast.position(0))

    def close(self) -> None:
        """Ends the environment."""
        self._vector.close()


for _name in Game.encoded_names():
    _id = f"fourfold/{_name.capitalize()}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="fourfold.gymnasium:Env",
            vector_entry_point="fourfold.gymnasium:VectorEnv",
            kwargs={"game": _name},
            # Wrappers would ask every action of a vector of one.
            disable_env_checker=False,
        )
