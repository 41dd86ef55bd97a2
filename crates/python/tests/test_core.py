"""Games, positions, matches, records, bots and puzzles."""

import copy
import doctest
import importlib
import pickle
import random

import fourfold
import pytest
from fourfold.regret import LevelScore

GAMES = [variant for name in fourfold.Game.encoded_names() for variant in fourfold.Game(name).variants]


def random_action(position: fourfold.Position, chooser: random.Random) -> str:
    if position.is_chance:
        actions, odds = zip(*position.chances(), strict=True)
        return chooser.choices(actions, odds)[0]
    return chooser.choice(position.legal())


@pytest.mark.parametrize(
    "module", ["", ".thinking", ".encoding", ".vector", ".regret", ".gymnasium", ".pettingzoo", ".open_spiel"]
)
def test_the_examples_in_the_modules_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"fourfold{module}"))
    assert result.failed == 0


def test_the_examples_in_the_compiled_classes_run() -> None:
    import fourfold._core as core

    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    found = [test for name, item in vars(core).items() for test in finder.find(item, name, module=False, globs={})]
    for test in found:
        runner.run(test)
    assert runner.summarize().failed == 0
    assert sum(len(test.examples) for test in found) > 20


@pytest.mark.parametrize("game", GAMES)
def test_texts_copies_and_numbers_agree_in_random_games(game: str) -> None:
    chooser = random.Random(game)
    encoding = fourfold.Encoding(game)
    position = fourfold.Game(game).start()
    for _ in range(150):
        if position.is_over:
            break
        assert fourfold.Position(game, position.text) == position
        assert pickle.loads(pickle.dumps(position)) == position == copy.deepcopy(position)
        legal = position.legal()
        numbers = [position.encode(action) for action in legal]
        assert sorted(numbers) == encoding.mask(position).nonzero()[0].tolist()
        assert [position.decode(number) for number in numbers] == legal
        action = random_action(position, chooser)
        if not position.is_chance:
            turn = chooser.randrange(position.symmetries)
            turned = position.transform(turn).play(position.transform_action(turn, action))
            assert turned == position.play(action).transform(turn)
        position = position.play(action)
    assert len(encoding.mask(position)) == encoding.num_actions + encoding.num_chance_actions


def test_a_hidden_hand_is_in_no_view_and_no_observation() -> None:
    game = fourfold.Game("sequence")
    deal = ["draw:cat", "draw:fox", "draw:cat", "draw:owl", "draw:cow", "draw:dog"]
    other = ["draw:cat", "draw:bear", "draw:cat", "draw:owl", "draw:cow", "draw:dog"]
    one, two = game.start().play(*deal), game.start().play(*other)
    encoding = fourfold.Encoding(game)
    assert one.view(1).text == two.view(1).text and "?" in one.view(1).text
    assert (encoding.observation(one, 1) == encoding.observation(two, 1)).all()
    assert (encoding.observation(one, 2) != encoding.observation(two, 2)).any()
    assert one.view(2).legal() == [] and one.view(1).legal() == one.legal()
    assert game.start().seen_action("draw:cat", 2) == "draw:?"


def test_boards_are_drawn() -> None:
    position = fourfold.Game("quixo").start().play("a3e3")
    assert "x" in repr(position) and "a b c d e" in repr(position)
    assert position._repr_svg_().startswith("<svg xmlns=")
    assert position.view(1)._repr_svg_().startswith("<svg xmlns=")


def test_matches_undo_and_become_records() -> None:
    match = fourfold.Match("quixo", players=["person Olena", "bot:3"])
    match.play("a3e3")
    match.play("a2e2")
    match.undo()
    assert match.actions == ["a3e3"]
    match.redo()
    match.comment("too slow")
    match.resign(1)
    assert match.ending == "side 2 wins by resignation"
    record = match.record()
    assert fourfold.Record.read(str(record)) == [record] == [pickle.loads(pickle.dumps(record))]
    assert record.replay().log == match.log == ["a3e3", "a2e2", "resign:1"]
    assert fourfold.Record.read(fourfold.Record.write([record, record])) == [record, record]


def test_a_record_for_one_seat_hides_what_it_may_not_know() -> None:
    match = fourfold.Match("sequence")
    assert len(match.draw(5)) == 6
    record = match.record(seat=1)
    assert "draw:?" in record.actions
    with pytest.raises(ValueError, match="hidden"):
        record.replay()


@pytest.mark.parametrize("game", fourfold.Game.names())
def test_bots_play_the_same_for_the_same_seed(game: str) -> None:
    position = fourfold.Game(game).start()
    while position.is_chance:
        position = position.play(position.chances()[0][0])
    chosen = {fourfold.Bot(game, 4, seed=9).choose(position, nodes=500) for _ in range(2)}
    assert len(chosen) == 1 and chosen <= set(position.legal())


def test_quarto_is_solved_from_its_book_and_near_the_end() -> None:
    assert fourfold.solve(fourfold.Game("quarto").start(), seconds=60).value.kind == "draw"
    won = fourfold.Game("quarto").position("..../..../..../123. 5 1 c1")
    found = fourfold.solve(won, seconds=60)
    assert found.optimal == ["d1"] and found.value > -found.value


def test_what_cannot_be_solved_in_time_says_so() -> None:
    with pytest.raises(fourfold.Unsolved, match="more seconds"):
        fourfold.solve(fourfold.Game("four").start(), seconds=0.01)


def test_puzzles_have_the_solution_among_the_right_actions() -> None:
    for puzzle in fourfold.puzzles("quixo", theme="hold")[:50]:
        assert puzzle.theme == "hold" and puzzle.solution[0] in puzzle.right_actions(0)
        assert {action for action, _ in puzzle.values(0)} == set(puzzle.start.legal())
    for game in GAMES:
        for puzzle in fourfold.puzzles(game)[:5]:
            assert str(puzzle.game) == str(fourfold.Game(game)) and puzzle.solution[0] in puzzle.start.legal()
            assert puzzle.values(0) and puzzle.start.play(*puzzle.solution)
    assert fourfold.puzzles("sequence", theme="fork")


def test_small_quixo_is_solved_and_consistent() -> None:
    board = fourfold.small_quixo(3)
    chooser = random.Random(3)
    for _ in range(200):
        own, other = board.start
        while board.result(own, other) is None:
            after = [board.after(own, other, push) for push in board.legal(own, other)]
            best = max(-board.value(*position) for position in after)
            assert board.value(own, other).score == best.score
            own, other = chooser.choice(after)


def test_regret_of_perfect_and_of_random_play() -> None:
    chooser = random.Random(4)
    quick = {"games": 2, "seconds": 5.0, "levels": [1], "level_games": 2, "level_nodes": 200}
    perfect = fourfold.regret(lambda position: fourfold.solve(position).action, "quarto(attributes=colour)", **quick)
    assert perfect.lost_value == 0 and perfect.judged + perfect.left_out > 0
    loose = fourfold.regret(lambda position: chooser.choice(position.legal()), "quarto(attributes=colour)", **quick)
    assert 0 <= loose.interval[0] <= loose.rate <= loose.interval[1] <= 1
    assert loose.levels[0].games == 2 and "level 1" in str(loose)


def test_regret_is_plotted() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    found = fourfold.Regret("quarto", 10, 2, 0, (LevelScore(1, 3, 1, 0), LevelScore(2, 0, 0, 4)))
    assert len(found.plot().patches) == 2 and found.rate == 0.2
    assert found.levels[0].elo > 0 and found.levels[1].elo == float("-inf")
