"""An engine as other authors write them: it plays one game, has no option for games, knows `startpos` and `fen` only, and
takes anything else for an error. Its moves come from the program named on the command line, for the game named first."""

import subprocess
import sys

inside = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def pass_on(line):
    inside.stdin.write(line + "\n")
    inside.stdin.flush()


def say(line):
    print(line, flush=True)


pass_on(f"setoption name Game value {sys.argv[1]}")
new_game = False
for line in sys.stdin:
    words = line.split()
    if words == ["ugi"]:
        say("id name Foreign 2.0")
        say("id author another author")
        say("option name hash type spin default 16 min 1 max 64")
        say("ugiok")
    elif words[:3] == ["setoption", "name", "hash"] and words[3] == "value":
        pass
    elif words == ["isready"]:
        say("readyok")
    elif words == ["uginewgame"]:
        new_game = True
    elif words[:1] == ["position"] and words[1] in ("startpos", "fen") and new_game:
        pass_on(line.strip())
    elif words[:1] == ["go"]:
        pass_on("go nodes 20")
        while True:
            answer = inside.stdout.readline().strip()
            if answer.startswith("bestmove"):
                say("info depth 1 score cp 13")
                say(answer + " ponder a1e1")
                break
            if answer.startswith("error"):
                say(answer)
                break
    elif words == ["quit"]:
        break
    else:
        say(f"error this engine does not know {line.strip()}")
        break
pass_on("quit")
