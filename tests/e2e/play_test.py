"""Goal: `arbiter play` at a terminal is pleasant: editing, history, completion, pasting, Ctrl-C,
wrapped text, commands that confirm or explain; and the demo follows its state.
Method: the built command in a pseudo-terminal and in a pipe.
Usage: play_test.py ARBITER
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
import unittest

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
WAIT = 60  # seconds at most for something that comes
PROMPT = "\x1b[?2004h> "  # pasting is announced, and the terminal hands over each key
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\r|\x07")


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Terminal:
    """The command in a terminal of 40 columns."""

    def __init__(self, folder, *words):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", LANG="zh_CN.UTF-8")
            os.execv(ARBITER, [ARBITER, *words])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        self.seen = ""
        self.sent = 0              # how much was seen when the last text was sent
        self.is_line_sent = True   # so that a prompt comes next
        self.left = b""

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            return False
        self.left += piece
        text = self.left.decode(errors="ignore")
        self.left = self.left[len(text.encode()):]
        self.seen += text
        return bool(piece)

    def wait_for(self, what, comes):
        end = time.monotonic() + WAIT
        while not comes():
            assert time.monotonic() < end, f"{what!r} does not come: {self.seen!r}"
            self.read(0.5)

    def expect(self, text):
        """Waits for a text since the last one that was sent."""
        self.wait_for(text, lambda: text in CONTROLS.sub("", self.seen[self.sent:]))

    def send(self, text):
        """Types, once the command is ready for a line."""
        self.wait_for("the prompt", lambda: PROMPT in self.seen[self.sent:] or not self.is_line_sent)
        self.sent = len(self.seen)
        self.is_line_sent = text[-1] in "\r\x03\x04"
        os.write(self.fd, text.encode())

    def interrupt(self, text):
        """Presses Ctrl-C once."""
        self.sent = len(self.seen)
        self.is_line_sent = True
        os.write(self.fd, b"\x03")
        self.expect(text)

    def close(self, key=b""):
        """The exit code; a key is pressed until then. A process that does not end is killed."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if key:
                os.write(self.fd, key)
            self.read(0.2)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError(f"it does not end: {self.seen!r}")


class PlayTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def pipe(self, words, language="en"):
        done = subprocess.run([ARBITER, "play", "--demo", "--lang", language], input=words.encode(), capture_output=True,
                              cwd=self.folder.name, check=False, timeout=WAIT)
        return done.stdout.decode()

    def said(self, turn):
        done = subprocess.run([ARBITER, "show", turn, "--json", "--store", "sqlite:d.db"],
                              capture_output=True, cwd=self.folder.name, check=True)
        return json.loads(done.stdout)["user_input"]

    def test_a_line_is_edited_in_the_terminal(self):
        play = Terminal(self.folder.name, "play", "--demo", "--store", "sqlite:d.db")
        play.expect("@ 旧码头")
        play.send("去灯塔吧\x7f\x7f塔\r")          # wide characters are removed one by one
        play.expect("@ 灯塔")
        play.send("half a line")
        play.interrupt("再按一次 Ctrl-C")           # drops it
        play.send("another half")
        play.interrupt("再按一次 Ctrl-C")           # drops it too, and does not leave
        play.send("/checkpo\t\x15/checkpoin\t\x0b")     # completed, and removed again with Ctrl-U
        play.send("\x15回码头\r")
        play.expect("@ 旧码头")
        play.send("\x1b[A\x1b[A\r")                 # the line before the last one
        play.expect("@ 灯塔")
        play.send("\x1b[200~回\n码\n头\n\x1b[201~")  # pasted lines are one line
        play.expect("回 码 头")
        play.send("\r")
        play.send("/quit\r")
        self.assertEqual(play.close(), 0)
        told = [self.said(turn) for turn in ("head~3", "head~2", "head~1", "head")]
        self.assertEqual(told, ["去灯塔", "回码头", "去灯塔", "回 码 头"])

    def test_an_interrupt_at_any_moment_is_not_a_failed_output(self):
        for pause in (0, 0.001, 0.002, 0.004, 0.008):
            play = Terminal(self.folder.name, "play", "--demo", "--store", f"sqlite:{pause}.db")
            play.send("\r")
            for _ in range(40):                     # while lines are printed and keys are awaited
                os.write(play.fd, b"\x03\r")
                play.read(pause)
            self.assertEqual(play.close(b"\x03"), 0, play.seen)   # two in a row leave

    def test_the_text_fits_into_the_terminal(self):
        play = Terminal(self.folder.name, "play", "--demo", "--store", "sqlite:d.db")
        play.expect("@ 旧码头")
        play.send("去灯塔\r")
        play.expect("@ 灯塔")
        play.send("/quit\r")
        self.assertEqual(play.close(), 0)
        lines = CONTROLS.sub("", play.seen).split("\n")
        told = [line for line in lines if "石阶" in line or "灯油" in line or "提灯" in line]
        self.assertGreater(len(told), 2)
        for line in told:
            self.assertLessEqual(width(line), 40, line)
            self.assertNotIn(line[:1], "。，、；：？！”）", line)

    def test_every_command_confirms_or_explains(self):
        out = self.pipe("/wyh\n/QUIT\n/rollback\n/checkpoint\n/checkpoints\n/checkpoint start\n/checkpoints\n   \n"
                        "/look\n/items\n/map\n/state campaign.character\n/why no.such\ngo to the lighthouse\n/why\n"
                        "/rollback start\n/undo\n/help\n/quit\n")
        for told in ("There is no command /wyh. Did you mean /why?", "Did you mean /quit?",
                     "/rollback TURN — go back to an earlier turn", "/checkpoint NAME — ", "No turn has a name yet",
                     "Turn 1 is now called start.", "[1] start", "Exits:", "Ali: lantern", "* Old Dock → ",
                     "Did you mean campaign.characters?", "Nothing is recorded about no.such.", "Ali → Lighthouse",
                     "You are at turn 1:", "/undo takes this back.", "You are at turn 2:", "another answer"):
            self.assertIn(told, out)
        self.assertNotIn('"opId"', out)                                # /why is for people
        self.assertIn('"opId"', self.pipe("go to the lighthouse\n/why --all\n/quit\n"))

    def test_the_demo_follows_the_state(self):
        # A refusal, a repair, a conflict, a re-roll and a rollback; the way there and back; the end.
        out = self.pipe("go to the lighthouse\ndown to the cellar\n/why\nback to the dock\nask Zhou for the key\n"
                        "ask Zhou for the key\n/rollback 4\nask Zhou for the key\n/retry\ngo to the warehouse\n"
                        "take the rope\nrest\nback to the dock\ngo to the lighthouse\ndown to the cellar\n"
                        "put out the lantern\n/quit\n")
        for told in ("There is a lock on the trapdoor", "asked again: move", "Answer 1 was refused: move",
                     "Zhou has not moved", "I have nothing else for you", "Zhou → Ali: cellar key",
                     "Ali HP 10 → 8 (falling crates)", "Warehouse → Ali: rope", "The cold bites, but the bandage holds.",
                     "@ Cellar", "This is the end of the demo."):
            self.assertIn(told, out)
        self.assertEqual(out.count("Zhou → Ali: cellar key"), 3)      # the first one, after the rollback, and again
        self.assertNotIn("You lose four HP", out.split("asked again")[0])
        chinese = self.pipe("去灯塔\n下地窖\n回码头\n问老周要钥匙\n/rollback 3\n回码头\n问老周要钥匙\n去灯塔\n下地窖\n吹灭提灯\n/quit\n", "zh")
        for told in ("地板上有一把锁", "已要求重讲", "老周 → 阿梨：地窖钥匙", "@ 灯塔地窖", "演示到此结束"):
            self.assertIn(told, chinese)


if __name__ == "__main__":
    unittest.main(verbosity=0)
