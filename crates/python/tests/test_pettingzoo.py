"""PettingZoo's own tests, with every warning an error."""

import importlib
from types import ModuleType, SimpleNamespace

import pettingzoo
import pytest
from fourfold.pettingzoo import all_environments
from pettingzoo.test import api_test, performance_benchmark, seed_test

OPTIONS = {
    "fourfold/quarto_v0": [{}, {"squares": "yes", "call": "lapse"}],
    "fourfold/quixo_v0": [{}, {"players": 4}],
    "fourfold/sequence_v0": [{}, {"players": 3, "board": "shuffled"}],
    "fourfold/four_v0": [{"size": 9}],
}
CASES = [(module, options) for name, module in all_environments.items() for options in OPTIONS[name]]


@pytest.mark.parametrize(("module", "options"), CASES)
def test_the_interface(module: ModuleType, options: dict[str, object]) -> None:
    api_test(module.env(**options), num_cycles=300, verbose_progress=False)
    api_test(module.raw_env(**options), num_cycles=300, verbose_progress=False)


@pytest.mark.parametrize(("module", "options"), CASES)
def test_seeds(module: ModuleType, options: dict[str, object]) -> None:
    seed_test(lambda: module.env(**options), num_cycles=50)


@pytest.mark.parametrize("module", all_environments.values())
def test_the_benchmark_runs(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    # The benchmark measures for five seconds of the clock it imports; here they pass quickly.
    clock = iter(range(1_000_000))
    benchmark = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=lambda: next(clock) / 10))
    performance_benchmark(module.env())
    performance_benchmark(module.raw_env(mask="observation"))


@pytest.mark.parametrize("module", all_environments.values())
def test_the_mask_can_be_in_the_observation(module: ModuleType) -> None:
    env = module.env(mask="observation")
    env.reset(seed=4)
    for agent in env.agent_iter(200):
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        assert (observation["action_mask"] == info["action_mask"]).all()
        env.step(env.action_space(agent).sample(observation["action_mask"]))


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.parametrize("name", all_environments)
def test_the_registry_makes_them(name: str) -> None:
    env = pettingzoo.make("aec", name)
    env.reset(seed=1)
    assert env.possible_agents == ["seat_1", "seat_2"]
    seats = pettingzoo.make("aec", "fourfold/quixo_v0", players=4)
    assert len(seats.possible_agents) == 4
