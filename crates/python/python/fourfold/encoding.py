"""Actions and observations as numbers: how each game is numbered, and the way between the two forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._core import Game, Position

__all__ = ["Encoding", "Field"]

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Field:
    """A part of an observation: its name, its shape, and where it begins."""

    name: str
    shape: tuple[int, ...]
    first: int

    @property
    def size(self) -> int:
        """How many entries it has."""
        return int(np.prod(self.shape))


class Encoding:
    """How the actions and observations of a game are numbered (docs/python.md lists every game).

    A numbering never changes without a new `version`.

    >>> import fourfold
    >>> encoding = fourfold.Encoding("quixo")
    >>> encoding.num_actions, encoding.observation_size
    (44, 75)
    >>> start = fourfold.Game("quixo").start()
    >>> start.decode(start.encode("a3e3"))
    'a3e3'
    >>> int(encoding.mask(start).sum())
    44
    """

    def __init__(self, game: Game | str) -> None:
        self.game: Game = game if isinstance(game, Game) else Game(game)
        layout = self.game._layout()
        self.version: int = layout["version"]
        #: Actions of seats; those of chance have the numbers after them.
        self.num_actions: int = layout["actions"]
        self.num_chance_actions: int = layout["chance_actions"]
        self.fields: tuple[Field, ...] = tuple(
            Field(name, tuple(shape), first) for name, shape, first in layout["fields"]
        )
        #: Entries of an observation that are 0 or 1; numbers up to 255 come after them.
        self.num_bits: int = layout["bits"]
        self.num_scalars: int = layout["scalars"]

    @property
    def observation_size(self) -> int:
        """Bytes of an observation that is not packed."""
        return self.num_bits + self.num_scalars

    @property
    def packed_size(self) -> int:
        """Bytes of a packed observation."""
        return (self.num_bits + 7) // 8 + self.num_scalars

    def mask(self, position: Position) -> Bytes:
        """A 1 for each legal action of a position, those of chance included."""
        self._check(position)
        return np.frombuffer(position._mask(), dtype=np.uint8)

    def observation(self, position: Position, seat: int | None = None) -> Bytes:
        """What a seat knows of a position; the seat to act unless another is named."""
        self._check(position)
        return np.frombuffer(position._observation(seat or position.seat or 1), dtype=np.uint8)

    def split(self, observations: Bytes) -> dict[str, Bytes]:
        """Observations by field, without copying: each with the shape of the field after the batch's own."""
        if observations.shape[-1] != self.observation_size:
            raise ValueError(
                f"an observation of {self.game} has {self.observation_size} bytes; unpack packed ones first"
            )
        batch = observations.shape[:-1]
        return {
            field.name: observations[..., field.first : field.first + field.size].reshape(batch + field.shape)
            for field in self.fields
        }

    def unpack(self, packed: Bytes) -> Bytes:
        """Packed observations as bytes."""
        if packed.shape[-1] != self.packed_size:
            raise ValueError(f"a packed observation of {self.game} has {self.packed_size} bytes")
        bits = packed[..., : packed.shape[-1] - self.num_scalars]
        planes = np.unpackbits(bits, axis=-1, count=self.num_bits, bitorder="little")
        return np.concatenate([planes, packed[..., packed.shape[-1] - self.num_scalars :]], axis=-1)

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise ValueError(f"this encoding is for {self.game}, the position is of {position.game}")

    def __repr__(self) -> str:
        return f"Encoding({str(self.game)!r}, version={self.version})"
