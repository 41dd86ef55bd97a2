"""Gymnasium's own checks."""

import fourfold
import fourfold.gymnasium
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

IDS = [f"fourfold/{name.capitalize()}-v0" for name in fourfold.Game.encoded_names()]


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_checks_the_environment(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)
    check_env(gymnasium.make(name, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_vectors_are_made_and_stepped(name: str) -> None:
    env = gymnasium.make_vec(name, num_envs=5, vectorization_mode="vector_entry_point", threads=2)
    observations, info = env.reset(seed=3)
    assert observations in env.observation_space
    ended = np.zeros(5, bool)
    total = np.zeros(5)
    for _ in range(300):
        actions = env.unwrapped.fast.sample()  # type: ignore[attr-defined]
        before = ended
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert observations in env.observation_space and set(rewards) <= {-1.0, 0.0, 1.0}
        assert not (terminated & before).any() and not rewards[before].any()
        ended = terminated | truncated
        total += np.abs(rewards)
    assert name.startswith("fourfold/Four") or total.any()
    env.close()


def test_an_action_by_the_mask_is_never_refused() -> None:
    env = gymnasium.make("fourfold/Sequence-v0", illegal="raise")
    _, info = env.reset(seed=1)
    for _ in range(500):
        action = env.action_space.sample(info["action_mask"].astype(np.int8))
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()


def test_without_a_seed_games_differ_and_with_one_they_do_not() -> None:
    def seats(seed: int | list[int | None] | None) -> list[int]:
        env = gymnasium.make_vec("fourfold/Sequence-v0", num_envs=40)
        _, info = env.reset(seed=seed)  # type: ignore[arg-type]
        env.close()
        return [int(seat) for seat in info["seat"]]

    assert seats(None) != seats(None)
    assert seats(7) == seats(7) == seats(list(range(7, 47)))
    assert seats([None] * 40) != seats([None] * 40)
