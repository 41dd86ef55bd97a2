"""OpenSpiel's own tools on the registered games."""

import pathlib
import random
import re
import subprocess
import sys

import fourfold.open_spiel  # noqa: F401
import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, mcts, outcome_sampling_mccfr
from open_spiel.python.observation import make_observation

GAMES = [
    "python_quarto",
    "python_quarto(squares=yes,call=lapse)",
    "python_quixo(max_length=60)",
    "python_quixo(players=4,max_length=60)",
    "python_sequence(max_length=80)",
    "python_sequence(players=3,board=shuffled,max_length=120)",
    "python_four(size=9,max_length=80)",
]


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


def test_its_own_api_test_passes_unmodified() -> None:
    """In a process of its own, because that test makes its list of games when it is imported."""
    module = "open_spiel.integration_tests.api_test"
    only = "--test_only_games=^python_(quarto|quixo|sequence|four)$"
    program = (
        "import runpy, sys, fourfold.open_spiel; "
        f"sys.argv = ['api_test', {only!r}]; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert re.search(r"Ran [1-9]\d* tests", told.stderr)


@pytest.mark.parametrize("name", GAMES)
def test_playthroughs_replay_equal(name: str, tmp_path: pathlib.Path) -> None:
    text = generate_playthrough.playthrough(name, action_sequence=[])
    assert "# Apply action" in text and "InformationStateTensor" in text
    (tmp_path / "played.txt").write_text(text)
    # Its tools are programs, which read flags when they start.
    flags.FLAGS.mark_as_parsed()
    expected, actual = generate_playthrough.replay(str(tmp_path / "played.txt"))
    assert expected == actual


@pytest.mark.parametrize("name", GAMES)
def test_tensors_and_texts(name: str) -> None:
    game = pyspiel.load_game(name)
    state, chooser = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(chooser.choices(actions, odds)[0])
            continue
        player = state.current_player()
        assert len(state.observation_tensor(player)) == game.observation_tensor_size()
        assert len(state.information_state_tensor(player)) == game.information_state_tensor_size()
        assert state.information_state_string(player) and state.observation_string(player)
        state.apply_action(chooser.choice(state.legal_actions()))
    assert len(state.returns()) == game.num_players()


def test_mcts_plays() -> None:
    for name in ("python_quarto", "python_quixo(max_length=40)"):
        game = pyspiel.load_game(name)
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(game, 2.0, 10, evaluator, random_state=np.random.RandomState(2))
        state = game.new_initial_state()
        for _ in range(3):
            state.apply_action(bot.step(state))
        assert state.move_number() == 3


def test_outcome_sampling_on_sequence() -> None:
    game = pyspiel.load_game("python_sequence(max_length=60)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2):
        solver.iteration()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)


def test_public_and_private_observations_of_sequence() -> None:
    game = pyspiel.load_game("python_sequence")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])

    def observed(public: bool, private: pyspiel.PrivateInfoType, recall: bool = False) -> tuple[str, set[str]]:
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        observation = make_observation(game, kind)
        observation.set_from(state, 0)
        return observation.string_from(state, 0), set(observation.dict)

    kinds = pyspiel.PrivateInfoType
    hand = state.position.text.split()[2].split("|")[0]
    public = {"chips", "passes", "swaps"}
    assert observed(False, kinds.SINGLE_PLAYER) == (hand, {"hand", "unseen"})
    assert observed(True, kinds.NONE) == (state.position.view().text, public)
    assert observed(True, kinds.SINGLE_PLAYER) == (state.position.view(1).text, public | {"hand", "unseen"})
    assert observed(True, kinds.ALL_PLAYERS)[0] == state.position.text
    assert observed(True, kinds.ALL_PLAYERS, recall=True)[0].split()[0].startswith("draw:")
    assert observed(True, kinds.NONE, recall=True)[0] == " ".join("?" * 6)
    assert observed(True, kinds.SINGLE_PLAYER, recall=True)[0].count("?") == 3
