"""OpenSpiel's own tools on the registered games."""

import random

import fourfold.open_spiel  # noqa: F401
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, mcts, outcome_sampling_mccfr

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


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    text = generate_playthrough.playthrough(name, action_sequence=[])
    assert "# Apply action" in text and "InformationStateTensor" in text


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
