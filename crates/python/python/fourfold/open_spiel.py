"""OpenSpiel: `python_quarto`, `python_quixo`, `python_sequence` and `python_four`, registered when this is imported.

Options of a game are parameters: `pyspiel.load_game("python_quixo(players=4)")`; options that are texts in Fourfold are
texts here. `max_length` bounds the number of actions, chance's included: a game that reaches it is a draw.

>>> import pyspiel, fourfold.open_spiel
>>> state = pyspiel.load_game("python_quarto").new_initial_state()
>>> state.apply_action(7)
>>> state.current_player()
1
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ._core import Game, Position
from .encoding import Encoding, Field

__all__ = ["SpielGame", "SpielState"]

#: Actions after which a game counts as drawn, unless the parameter says otherwise.
MAX_LENGTH = {"quarto": 40, "quixo": 500, "sequence": 600, "four": 4_000}


@lru_cache(maxsize=64)
def _encoding(game: str) -> Encoding:
    return Encoding(game)


def _sides(game: Game) -> list[int]:
    """What each seat gets if the first side wins."""
    sides = 2 if game.name == "quixo" else game.seats
    return [1 if seat % sides == 0 else -1 for seat in range(game.seats)]


def _options(name: str) -> dict[str, Any]:
    """Every option with its default, as a number where it is one."""
    values = Game(name).options
    return {option: int(value) if value.isdigit() else value for option, value in values.items()}


def _game_type(name: str, zero_sum: bool) -> pyspiel.GameType:
    chance = Encoding(name).num_chance_actions > 0
    imperfect = pyspiel.GameType.Information.IMPERFECT_INFORMATION
    perfect = pyspiel.GameType.Information.PERFECT_INFORMATION
    stochastic = pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    parameters = {option: value for option, value in _options(name).items() if option not in _FOLLOWING}
    parameters.update(dict.fromkeys(_FOLLOWING & _options(name).keys(), -1))
    return pyspiel.GameType(
        short_name=f"python_{name}",
        long_name=f"Fourfold {name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=stochastic if chance else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=imperfect if chance else perfect,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4 if name in ("quixo", "sequence") else 2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={**parameters, "max_length": MAX_LENGTH[name]},
    )


#: Options whose default depends on another option; -1 leaves them at it.
_FOLLOWING = frozenset({"reserve", "target"})


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games as OpenSpiel sees it."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.max_length = int(given.pop("max_length", MAX_LENGTH[self.name]))
        options = ",".join(f"{option}={value}" for option, value in given.items() if value != -1)
        self.rules = Game(f"{self.name}({options})")
        self.encoding = Encoding(self.rules)
        seats = self.rules.seats
        # Equal sides share a win and a loss equally; with three sides or four one wins and all others lose.
        zero_sum = sum(_sides(self.rules)) == 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.num_actions,
            max_chance_outcomes=self.encoding.num_chance_actions,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.max_length,
        )
        super().__init__(_game_type(self.name, zero_sum), info, params or {})

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> SpielObserver:
        """What a player observes; with perfect recall also everything it has seen happen."""
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """How often chance can act in one game."""
        return self.max_length if self.encoding.num_chance_actions else 0


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position with what led to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        # A clone copies every attribute, so that these are small.
        self.game_text = str(game.rules)
        self.max_length = game.max_length
        self.position: Position = game.rules.start()
        #: What each player has seen happen, as action texts.
        self.seen: tuple[tuple[str, ...], ...] = ((),) * game.rules.seats
        self.length = 0

    @property
    def encoding(self) -> Encoding:
        """How the game is numbered."""
        return _encoding(self.game_text)

    def current_player(self) -> int:
        """The player to act, chance, or the mark of the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.position.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return (self.position.seat or 1) - 1

    def _offset(self) -> int:
        """Chance's actions are numbered from 0 here."""
        return self.encoding.num_actions if self.position.is_chance else 0

    def _legal_actions(self, player: int) -> list[int]:
        mask = self.encoding.mask(self.position)
        return [int(number) - self._offset() for number in np.flatnonzero(mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, with the probabilities."""
        first = self._offset()
        return [(self.position.encode(action) - first, odds) for action, odds in self.position.chances()]

    def _apply_action(self, action: int) -> None:
        text = self.position.decode(action + self._offset())
        self.seen = tuple(
            (*seen, self.position.seen_action(text, seat)) for seat, seen in enumerate(self.seen, start=1)
        )
        self.position = self.position.play(text)
        self.length += 1

    def _action_to_string(self, player: int, action: int) -> str:
        first = self.encoding.num_actions if player == pyspiel.PlayerId.CHANCE else 0
        return self.position.decode(action + first)

    def is_terminal(self) -> bool:
        """Whether the game has ended, by its rules or by its length."""
        return self.position.is_over or self.length >= self.max_length

    def returns(self) -> list[float]:
        """What each player got."""
        return [float(part) for part in self.position.result or [0.0] * len(self.seen)]

    def __str__(self) -> str:
        return self.position.text


#: Fields of an observation that a seat knows by its hidden hand; all others are public.
_PRIVATE = {"sequence": frozenset({"hand", "unseen"})}


class SpielObserver:
    """Fills a tensor with what a player knows: what is public, what the player alone knows, or both.

    The tensor is made of the fields of the observation, each by its name in `dict`; with perfect recall and public
    information `history` follows, the numbers of what the player saw happen. They count from 1, chance's after those of
    the players; 0.5 is hidden. For all players' private information their fields follow each other in turn order.
    """

    def __init__(self, game: SpielGame, kind: pyspiel.IIGObservationType) -> None:
        self.public, self.private = bool(kind.public_info), kind.private_info
        self.recalls = bool(kind.perfect_recall) and self.public
        hidden = _PRIVATE.get(game.name, frozenset())
        everyone = self.private == pyspiel.PrivateInfoType.ALL_PLAYERS
        # Each piece: its name, its field, and how many seats after the observer's it is seen from.
        self.pieces: list[tuple[str, Field, int]] = []
        for field in game.encoding.fields:
            if field.name not in hidden:
                self.pieces += [(field.name, field, 0)] if self.public else []
            elif everyone:
                self.pieces += [(f"{field.name}_{seat}", field, seat) for seat in range(game.rules.seats)]
            elif self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
                self.pieces.append((field.name, field, 0))
        length = game.max_length if self.recalls else 0
        self.tensor = np.zeros(sum(field.size for _, field, _ in self.pieces) + length, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        first = 0
        for name, field, _ in self.pieces:
            self.dict[name] = self.tensor[first : first + field.size].reshape(field.shape)
            first += field.size
        if self.recalls:
            self.dict["history"] = self.tensor[first:]

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes what a player knows."""
        encoding, seats = state.encoding, len(state.seen)
        self.tensor.fill(0)
        known: dict[int, dict[str, NDArray[np.uint8]]] = {}
        for name, field, after in self.pieces:
            if after not in known:
                observation = encoding.observation(state.position, (player + after) % seats + 1)
                known[after] = encoding.split(observation)
            self.dict[name][:] = known[after][field.name]
        if self.recalls:
            history = self.dict["history"]
            for place, played in enumerate(state.full_history()):
                first = encoding.num_actions if played.player == pyspiel.PlayerId.CHANCE else 0
                history[place] = 0.5 if self._hidden(state, player, place) else first + played.action + 1

    def _hidden(self, state: SpielState, player: int, place: int) -> bool:
        """Whether the observer did not see what happened then."""
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return False
        if self.private == pyspiel.PrivateInfoType.NONE:
            return any(seen[place].endswith("?") for seen in state.seen)
        return state.seen[player][place].endswith("?")

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text."""
        hands = self._hands(state, player)
        if not self.public:
            return hands
        if self.recalls and self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return f"{player + 1}: {' '.join(state.seen[player])}"
        if self.recalls:
            texts = zip(*state.seen, strict=True)
            # What one player saw in full stands in that player's own list.
            whole = (min(seen, key=lambda text: text.endswith("?")) for seen in texts)
            return " ".join("?" if self._hidden(state, player, at) else text for at, text in enumerate(whole))
        if self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return state.position.view(player + 1).text
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return state.position.text
        return state.position.view().text

    def _hands(self, state: SpielState, player: int) -> str:
        """The hidden hands that the observer knows; empty where nothing is hidden."""
        encoding = state.encoding
        if not _PRIVATE.get(state.position.game.name) or self.private == pyspiel.PrivateInfoType.NONE:
            return ""
        everyone = self.private == pyspiel.PrivateInfoType.ALL_PLAYERS
        hands = []
        for seat in range(len(state.seen)) if everyone else [player]:
            counts = encoding.split(encoding.observation(state.position, seat + 1))["hand"].sum(axis=1, dtype=np.int64)
            cards = np.repeat(np.arange(len(counts)), counts)
            # A card is named by its draw.
            draws = (state.position.decode(encoding.num_actions + int(card)) for card in cards)
            hands.append("+".join(draw.partition(":")[2] for draw in draws))
        return "|".join(hands)


def _register(name: str) -> None:
    made = type(f"{name.capitalize()}Game", (SpielGame,), {"name": name})
    pyspiel.register_game(_game_type(name, zero_sum=True), made)


for _name in Game.encoded_names():
    _register(_name)
