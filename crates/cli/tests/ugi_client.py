"""A client of the engine protocol, written from docs/ugi.md alone: it knows no rule of any game.

It starts the engine named on the command line, checks every line it says against the document, and lets the engine play
whole games against itself, with the client as the only go-between. Any difference ends it with a message and exit code 1.
"""

import random
import re
import subprocess
import sys
import threading
import queue

NUMBER = r"-?\d+"
INFO = re.compile(
    rf"info depth \d+ seldepth \d+ nodes \d+ nps \d+ hashfull \d+ time \d+"
    rf"(?: multipv \d+ score (?:cp {NUMBER}|mate {NUMBER}) wdl \d+ \d+ \d+ (?:exact|estimate) pv \S.*)?$"
)
OPTION = re.compile(r"option name (\S+) type (check|spin|combo|string)(?: (.*))?$")


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, seconds=60):
        return self.lines.get(timeout=seconds)

    def until(self, word):
        heard = []
        while True:
            line = self.hear()
            heard.append(line)
            if line.split(" ")[0] == word:
                return heard
            expect(not line.startswith("error"), f"{word} expected, not {line}")

    def query(self, what):
        self.tell(f"query {what}")
        return self.until("response")[-1][len("response") :].strip()


def expect(is_so, message):
    if not is_so:
        print(message, file=sys.stderr)
        sys.exit(1)


def introduce(engine):
    engine.tell("ugi")
    lines = engine.until("ugiok")
    expect(any(line.startswith("id name ") for line in lines), "id name is missing")
    expect(any(line.startswith("id author ") for line in lines), "id author is missing")
    options = {}
    for line in lines:
        if line.startswith("option "):
            found = OPTION.match(line)
            expect(found, f"not the form of an option: {line}")
            options[found[1].lower()] = (found[2], found[3] or "")
    for name in ["game", "level", "hash", "threads", "multipv", "seed"]:
        expect(name in options, f"there is no option {name}")
    kind, rest = options["game"]
    expect(kind == "combo", "Game is a combo")
    games = re.findall(r"var (\S+)", rest)
    expect(re.match(r"default (\S+)", rest)[1] in games, "the default is one of the games")
    return games


def search(engine, words, nodes, lines):
    """Asks for an action and checks what is said on the way."""
    engine.tell(f"go {words}")
    heard = engine.until("bestmove")
    best = heard[-1].split(" ")
    expect(len(best) >= 2, f"no action: {heard[-1]}")
    results = {}
    for line in heard[:-1]:
        expect(INFO.match(line), f"not the form of an info line: {line}")
        if nodes:
            told = int(re.search(r" nodes (\d+)", line)[1])
            expect(told <= nodes, f"more than {nodes} nodes: {line}")
        place = re.search(r" multipv (\d+) .* pv (\S+)", line)
        if place:
            results[int(place[1])] = place[2]
    expect(results.get(1) == best[1], f"multipv 1 is not bestmove: {heard}")
    expect(len(results) <= lines, f"more than {lines} lines: {heard}")
    return best[1]


def play(engine, game, dice):
    """One game of the engine against itself; the client draws for chance and keeps the moves."""
    engine.tell(f"setoption name GAME value {game}")
    engine.tell("setoption name mUlTiPv value 2")
    engine.tell("uginewgame")
    engine.tell("isready")
    engine.until("readyok")
    moves = []
    for _ in range(90):
        engine.tell("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        turn = engine.query("turn")
        over = engine.query("gameover")
        expect(over == ("true" if turn == "over" else "false"), f"turn {turn}, gameover {over}")
        if turn == "over":
            expect(re.match(r"draw|p\dwin", engine.query("result")), "a game that is over has a result")
            return moves
        legal = engine.query("legal").split(" ")
        expect(len(set(legal)) == len(legal) > 0, f"legal actions: {legal}")
        if turn == "chance":
            moves.append(dice.choice(legal))
            continue
        engine.tell(f"setoption name Viewer value {turn}")
        seen = engine.query("position")
        engine.tell("setoption name Viewer value all")
        if len(moves) % 7 == 0:
            # What the seat sees is enough to ask for an action, also where cards are hidden by ?.
            engine.tell(f"position fen {seen}")
            action = search(engine, "nodes 3000", 3000, 2)
        else:
            action = search(engine, "nodes 3000", 3000, 2)
        expect(action in legal, f"{action} is not one of {legal}")
        moves.append(action)
    return moves


def main():
    engine = Engine(sys.argv[1:])
    dice = random.Random(7)
    games = introduce(engine)
    expect(len(games) >= 4, f"games: {games}")
    for game in games:
        moves = play(engine, game, dice)
        expect(len(moves) > 5, f"{game}: a game of {len(moves)} moves")
    engine.tell(f"setoption name Game value {games[0]}")
    engine.tell("position startpos")
    engine.tell("go infinite")
    engine.tell("isready")
    engine.until("readyok")
    engine.tell("stop")
    engine.until("bestmove")
    engine.tell("nonsense")
    expect(engine.hear().startswith("error "), "nonsense is an error")
    engine.tell("quit")
    expect(engine.process.wait(10) == 0, "quit ends the program")
    print("conformant")


main()
