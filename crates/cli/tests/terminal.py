"""Runs the full-screen interface in a terminal of its own and looks at the terminal from outside: whatever ends or stops
the program, the terminal must be given back. The program is named on the command line; a difference ends with exit code 1."""

import fcntl
import os
import pty
import signal
import struct
import sys
import tempfile
import termios
import threading
import time

ENTER = b"\x1b[?1049h"
LEAVE = b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"


class Terminal:
    def __init__(self, arguments):
        self.home = tempfile.TemporaryDirectory()
        self.shown = b""
        self.leaving = False
        keyboard, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.keyboard, self.screen = keyboard, screen
        environment = dict(os.environ, XDG_DATA_HOME=self.home.name, LC_ALL="en_GB.UTF-8", TERM="xterm-256color", NO_COLOR="1")
        self.pid = os.fork()
        if self.pid == 0:
            for stream in range(3):
                os.dup2(screen, stream)
            os.chdir(self.home.name)
            os.execve(sys.argv[1], [sys.argv[1], *arguments], environment)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while not self.leaving:
            try:
                self.shown += os.read(self.keyboard, 4096)
            except OSError:
                return

    def press(self, keys):
        os.write(self.keyboard, keys)

    def given_back(self):
        modes = termios.tcgetattr(self.screen)[3]
        return bool(modes & termios.ICANON) and bool(modes & termios.ECHO)

    def until(self, what, is_so):
        began = time.time()
        while not is_so():
            if time.time() - began > 30:
                fail(f"{what}: {self.shown[-2000:]!r}")
            time.sleep(0.02)

    def games(self):
        folder = os.path.join(self.home.name, "fourfold")
        return [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []


def fail(message):
    print(message, file=sys.stderr)
    os._exit(1)


def expect(is_so, message):
    if not is_so:
        fail(message)


def play():
    terminal = Terminal(["play", "quixo", "--seat", "2=person"])
    terminal.until("raw mode", lambda: not terminal.given_back())
    terminal.until("the board", lambda: b"Quixo" in terminal.shown)
    return terminal


def ended_by(name):
    terminal = play()
    terminal.press(b"a3e3\r")
    terminal.until("the move is kept", lambda: terminal.games())
    number = getattr(signal, name)
    os.kill(terminal.pid, number)
    _, status = os.waitpid(terminal.pid, 0)
    expect(os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, f"{name}: ended with {status}")
    expect(terminal.given_back(), f"{name}: the terminal is not given back")
    terminal.until(f"{name}: the shell's screen", lambda: terminal.shown.endswith(SHOW_CURSOR))
    expect(LEAVE in terminal.shown, f"{name}: the alternate screen is left")
    with open(terminal.games()[0]) as file:
        expect("1. a3e3" in file.read(), f"{name}: the game is kept")


def suspended():
    terminal = play()
    terminal.press(b"\x1a")
    _, status = os.waitpid(terminal.pid, os.WUNTRACED)
    expect(os.WIFSTOPPED(status), f"Ctrl-Z: {status}")
    expect(terminal.given_back(), "a stopped program leaves the terminal to the shell")
    before = len(terminal.shown)
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.until("raw mode again", lambda: not terminal.given_back())
    terminal.until("the picture again", lambda: ENTER in terminal.shown[before:] and b"Quixo" in terminal.shown[before:])
    terminal.press(b"\x11")
    _, status = os.waitpid(terminal.pid, 0)
    expect(status == 0, f"Ctrl-Q: {status}")
    expect(terminal.given_back(), "Ctrl-Q")


def closed():
    """A terminal that is gone ends the program, which must not go on reading from it."""
    terminal = play()
    # The reader ends with what the key makes the program draw; while it reads, the terminal would stay open.
    terminal.leaving = True
    terminal.press(b"\t")
    terminal.reader.join(10)
    os.close(terminal.screen)
    os.close(terminal.keyboard)
    began = time.time()
    while os.waitpid(terminal.pid, os.WNOHANG)[0] == 0:
        expect(time.time() - began < 10, "the program goes on without a terminal")
        time.sleep(0.05)


closed()
for name in ["SIGTERM", "SIGHUP", "SIGQUIT"]:
    ended_by(name)
suspended()
print("given back")
