"""Vector environments: what they write is what positions say."""

import threading

import fourfold
import numpy as np
import pytest

GAMES = [variant for name in fourfold.Game.encoded_names() for variant in fourfold.Game(name).variants]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_arrays_say_what_positions_say(game: str, packed: bool) -> None:
    env = fourfold.VectorEnv(game, 5, threads=2, seed=11, packed=packed)
    encoding = env.encoding
    for _ in range(60):
        observations, masks = env.observations, env.action_masks
        if packed:
            observations = encoding.unpack(observations)
            masks = np.unpackbits(masks, axis=1, count=env.num_actions, bitorder="little")
        for index in range(5):
            position = env.position(index)
            assert (encoding.mask(position)[: env.num_actions] == masks[index]).all()
            assert (encoding.observation(position) == observations[index]).all()
            assert env.seats[index] == position.seat - 1
        before = [env.position(index) for index in range(5)]
        actions = env.step_random().copy()
        for index in range(5):
            after = before[index].play(before[index].decode(int(actions[index])))
            assert bool(env.terminations[index]) == after.is_over
            assert env.rewards[index].tolist() == (after.result or [0.0] * env.game.seats)
            if not after.is_over and not after.is_chance:
                assert env.position(index) == after


def test_fields_are_where_the_encoding_says() -> None:
    env = fourfold.VectorEnv("quarto", 1)
    env.step([7])
    env.step([16 + 5])
    fields = env.encoding.split(env.observations)
    assert fields["occupied"][0].nonzero() == (np.array([1]), np.array([1]))
    assert fields["pieces"][0, 1, 1].tolist() == [1, 1, 1, 0]
    assert fields["stock"][0, 7] == 0 and fields["stock"].sum() == 15


@pytest.mark.parametrize("game", fourfold.Game.encoded_names())
def test_the_same_seed_plays_the_same_whatever_the_threads(game: str) -> None:
    played = []
    for threads in (1, 2, 3):
        env = fourfold.VectorEnv(game, 7, threads, seed=5)
        played.append(np.array([env.step_random().copy() for _ in range(80)]))
    assert (played[0] == played[1]).all() and (played[0] == played[2]).all()
    again = fourfold.VectorEnv(game, 7, seed=99)
    again.reset(np.arange(5, 12))
    assert (np.array([again.step_random().copy() for _ in range(80)]) == played[0]).all()


def test_the_caller_owns_the_arrays() -> None:
    own = {"observations": np.zeros((3, 75), np.uint8), "rewards": np.zeros((3, 2), np.float32)}
    env = fourfold.VectorEnv("quixo", 3, buffers=own)
    assert env.observations is own["observations"] and env.rewards is own["rewards"]
    while not env.terminations.any():
        env.step_random()
    assert own["rewards"].any() and own["observations"].any()


def test_chance_can_be_the_callers() -> None:
    env = fourfold.VectorEnv("sequence", 4, chance="exposed", seed=3)
    assert (env.seats == 255).all() and env.num_actions == 190
    drawn = env.sample().copy()
    assert (drawn >= 148).all()
    env.step(drawn)
    for _ in range(200):
        env.step_random()


def test_next_step_waits_one_step_with_its_reset() -> None:
    env = fourfold.VectorEnv("quarto", 1, autoreset="next_step", seed=1)
    while not env.terminations[0]:
        env.step_random()
    assert env.position(0).is_over and not env.action_masks.any()
    env.step([33])
    assert env.position(0) == env.game.start() and not env.terminations[0] and not env.rewards.any()


def test_random_opponents_leave_one_seat_to_the_caller() -> None:
    env = fourfold.VectorEnv("quixo", 64, opponents="random", seed=2)
    assert set(env.seats.tolist()) == {0, 1}
    for _ in range(100):
        before = env.seats.copy()
        env.step_random()
        same = env.terminations == 0
        assert (env.seats[same] == before[same]).all()


def test_long_games_are_cut_off() -> None:
    env = fourfold.VectorEnv("four(size=9)", 2, max_steps=10)
    for _ in range(10):
        env.step_random()
    assert env.truncations.all() and not env.terminations.any() and env.position(0) == env.game.start()


def test_illegal_actions_can_lose() -> None:
    env = fourfold.VectorEnv("quarto", 2, illegal="lose")
    env.step([20, 3])
    assert env.terminations.tolist() == [1, 0] and env.rewards.tolist() == [[-1, 0], [0, 0]]
    env.step([-1, 20])
    assert env.terminations.tolist() == [1, 0]


def test_positions_can_be_set() -> None:
    env = fourfold.VectorEnv("quarto", 2)
    env.set_position(1, env.game.position("..../..../..../123. 5 1 c1"))
    env.step([0, 16 + 3])
    assert env.terminations.tolist() == [0, 1] and env.rewards[1].tolist() == [1, -1]


def test_exact_values_and_optimal_actions() -> None:
    env = fourfold.VectorEnv("quarto(attributes=colour)", 2, exact=True, seed=3)
    for _ in range(12):
        for index in range(2):
            found = fourfold.solve(env.position(index))
            assert env.values[index] == {"win": 1, "draw": 0, "loss": -1}[found.value.kind]
            optimal = [env.position(index).encode(action) for action in found.optimal]
            assert env.optimal_actions[index].nonzero()[0].tolist() == sorted(optimal)
        env.step_random()


def test_an_environment_is_stepped_by_one_thread_at_a_time() -> None:
    env = fourfold.VectorEnv("four", 64)
    errors: list[BaseException] = []

    def play() -> None:
        try:
            for _ in range(50):
                env.step_random()
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrowed" in str(error) for error in errors)
    env.step_random()
