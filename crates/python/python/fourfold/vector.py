"""Many games stepped at once."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Game, Position, Tables, Unsolved, VectorCore
from .encoding import Encoding
from .thinking import solve

__all__ = ["VectorEnv"]

#: In `seats`, the mark of chance.
CHANCE = 255
#: In `values`, the mark of what could not be proved.
UNKNOWN = -128


class VectorEnv:
    """`num_envs` games of one kind, stepped together without copying.

    Every call fills the same arrays, which the caller may provide: `observations`, `action_masks`, `rewards`,
    `terminations`, `truncations` and `seats`. The interpreter is released and `threads` share the work. When a game
    ends, a new one begins; environment i draws its random numbers from seed + i, whatever the number of threads.

    - `observations[i]` is what the seat to act knows, seen from that seat; `Encoding.split` names its parts.
    - `action_masks[i, a]` is 1 if action number a is legal.
    - `rewards[i, s]` is 1, -1 or 0 for seat s (from 0) when a game ended in this step, else 0.
    - `seats[i]` is the seat to act, from 0; 255 if chance is (with `chance="exposed"`).
    - `terminations[i]` and `truncations[i]` say that a game ended, by its rules or after `max_steps`.

    With `exact=True` there are also `values` (1 won, 0 drawn, -1 lost for the seat to act, -128 unknown) and
    `optimal_actions`, a mask of the actions that keep that value.

    >>> import fourfold, numpy
    >>> env = fourfold.VectorEnv("quarto", num_envs=4, seed=7)
    >>> env.reset()
    >>> actions = numpy.array([env.action_masks[i].argmax() for i in range(4)])
    >>> env.step(actions)
    >>> env.seats
    array([1, 1, 1, 1], dtype=uint8)
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        threads: int = 1,
        *,
        seed: int = 0,
        packed: bool = False,
        chance: Literal["inside", "exposed"] = "inside",
        autoreset: Literal["same_step", "next_step"] = "same_step",
        opponents: Literal["none", "random"] = "none",
        illegal: Literal["raise", "lose"] = "raise",
        max_steps: int = 10_000,
        buffers: Mapping[str, NDArray[Any]] | None = None,
        exact: bool = False,
        exact_seconds: float = 10.0,
        tables: Tables | None = None,
    ) -> None:
        self.encoding: Encoding = Encoding(game)
        self.game: Game = self.encoding.game
        self.num_envs = num_envs
        self.packed = packed
        self._core = VectorCore(
            self.game,
            num_envs,
            threads,
            packed=packed,
            chance=chance,
            autoreset=autoreset,
            opponents=opponents,
            illegal=illegal,
            max_steps=max_steps,
        )
        self.num_actions: int = self._core.num_actions
        observations, masks, rewards = self._core.shapes
        arrays: dict[str, NDArray[Any]] = {
            "observations": np.zeros(observations, np.uint8),
            "action_masks": np.zeros(masks, np.uint8),
            "rewards": np.zeros(rewards, np.float32),
            "terminations": np.zeros(num_envs, np.uint8),
            "truncations": np.zeros(num_envs, np.uint8),
            "seats": np.zeros(num_envs, np.uint8),
        }
        for name, array in (buffers or {}).items():
            if name not in arrays:
                raise ValueError(f"there is no array {name!r}: possible are {', '.join(arrays)}")
            arrays[name] = array
        self._core.bind(arrays)
        self.observations: NDArray[np.uint8] = arrays["observations"]
        self.action_masks: NDArray[np.uint8] = arrays["action_masks"]
        self.rewards: NDArray[np.float32] = arrays["rewards"]
        self.terminations: NDArray[np.uint8] = arrays["terminations"]
        self.truncations: NDArray[np.uint8] = arrays["truncations"]
        self.seats: NDArray[np.uint8] = arrays["seats"]
        #: The actions that `sample` and `step_random` chose last.
        self.actions: NDArray[np.int32] = np.zeros(num_envs, np.int32)
        self._exact = _Exact(self, exact_seconds, tables) if exact else None
        self.reset(seed)

    @property
    def values(self) -> NDArray[np.int8]:
        """With `exact=True`: the value of each game for the seat to act."""
        return self._known().values

    @property
    def optimal_actions(self) -> NDArray[np.uint8]:
        """With `exact=True`: the actions that keep the value."""
        return self._known().optimal

    def _known(self) -> _Exact:
        if self._exact is None:
            raise RuntimeError("exact values are not asked for: make the environment with exact=True")
        return self._exact

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """Begins new games; a seed, or one for each environment, lets the random numbers begin anew."""
        if seed is None:
            self._core.reset()
        elif isinstance(seed, (int, np.integer)):
            first = np.uint64(int(seed) % 2**64)
            self._core.reset(first + np.arange(self.num_envs, dtype=np.uint64))
        else:
            # Objects, because numpy would make floats of numbers on both sides of 2**63.
            seeds = np.asarray(seed, dtype=object)
            numbers = [operator.index(one) % 2**64 for one in seeds.flat]
            self._core.reset(np.array(numbers, np.uint64).reshape(seeds.shape))
        self._look()

    def step(self, actions: ArrayLike) -> None:
        """Plays one action in each environment.

        An illegal action raises `IllegalAction` before anything is played; with `illegal="lose"` it ends its game
        instead, with -1 for the seat that acted.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {given.dtype}")
        if given.dtype != np.int32 and given.size and (given.max() > 2**31 - 1 or given.min() < -(2**31)):
            raise ValueError("an action does not fit into 32 bits")
        self._core.step(np.ascontiguousarray(given, dtype=np.int32))
        self._look()

    def sample(self) -> NDArray[np.int32]:
        """A random legal action for each environment, chance's by their odds; the array is `actions`."""
        self._core.sample(self.actions)
        return self.actions

    def step_random(self) -> NDArray[np.int32]:
        """Like `step(sample())`, in one go; the array is `actions`."""
        self._core.step_random(self.actions)
        self._look()
        return self.actions

    def position(self, index: int) -> Position:
        """The position of an environment."""
        return self._core.position(index)

    def set_position(self, index: int, position: Position) -> None:
        """Lets an environment go on from another position of its game."""
        self._core.set_position(index, position)
        self._look()

    def close(self) -> None:
        """Ends the threads; nothing can be stepped afterwards."""
        self._core.close()

    @property
    def closed(self) -> bool:
        """Whether the environment was closed."""
        return self._core.closed

    def _look(self) -> None:
        if self._exact is not None:
            self._exact.look()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.num_envs

    def __repr__(self) -> str:
        return f"VectorEnv({str(self.game)!r}, num_envs={self.num_envs})"


class _Exact:
    """Exact values of an environment's positions, each solved once while it is remembered."""

    #: So many positions are remembered.
    MOST = 1 << 17

    def __init__(self, env: VectorEnv, seconds: float, tables: Tables | None) -> None:
        self.values: NDArray[np.int8] = np.zeros(env.num_envs, np.int8)
        self.optimal: NDArray[np.uint8] = np.zeros((env.num_envs, env.num_actions), np.uint8)
        self._env, self._seconds, self._tables = env, seconds, tables
        self._known: dict[Position, tuple[int, list[int]]] = {}

    def look(self) -> None:
        self.optimal[:] = 0
        for index in range(self._env.num_envs):
            position = self._env.position(index)
            if position.seat is None:
                self.values[index] = UNKNOWN
                continue
            if position not in self._known:
                if len(self._known) >= self.MOST:
                    # The one that was solved first.
                    del self._known[next(iter(self._known))]
                self._known[position] = self._solve(position)
            value, optimal = self._known[position]
            self.values[index] = value
            self.optimal[index, optimal] = 1

    def _solve(self, position: Position) -> tuple[int, list[int]]:
        try:
            found = solve(position, seconds=self._seconds, tables=self._tables)
        except Unsolved:
            return UNKNOWN, [position.encode(action) for action in position.legal()]
        value = {"win": 1, "draw": 0, "loss": -1}[found.value.kind]
        return value, [position.encode(action) for action in found.optimal]
