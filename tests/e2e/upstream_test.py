"""Goal: whatever a model server does, a turn ends as it should: a good answer becomes a turn, any other
one an error that names the mistake, with the state unchanged, no descriptor left and no key told.
Method: `arbiter play` and `arbiter connect` against tests/e2e/mock_upstream.py, streamed and not.
Usage: upstream_test.py PATH_OF_ARBITER
"""

import asyncio
import contextlib
import json
import os
import pathlib
import pty
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import mock_upstream

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
TEXT = "门开了。<UpdateVariable>_.add('n', 1);//x</UpdateVariable>"
CANARY = "sk-canary-0123456789abcdef"
# How each error begins, as docs/models.md lists it.
MESSAGES = {
    "model_key": "The model does not accept the key",
    "model_rate_limited": "The model is rate-limiting us",
    "model_overloaded": "The model cannot answer at the moment",
    "model_too_long": "The request is too long for the model",
    "model_refused": "The model refused to answer",
    "model_cut_off": "The model's answer broke off",
    "model_timeout": "The model did not answer in time",
    "model_unreachable": "The model cannot be reached",
    "model_bad_answer": "The model returned something that is not an answer",
}


class Mock:
    """The mock on a thread of its own."""

    def __init__(self, tls=None, text=TEXT):
        self.server = mock_upstream.Server(text)
        self.loop = asyncio.new_event_loop()
        self.port = self.loop.run_until_complete(self.server.start(tls=tls))
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.run_until_complete(self.server.close())
        self.loop.close()


class Play:
    """A running `arbiter play`: one line in, everything up to the next prompt out."""

    def __init__(self, *words, cwd, env):
        self.process = subprocess.Popen([ARBITER, "play", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, cwd=cwd, env=env)
        self.begin = self.read()

    def read(self):
        output = b""
        while not output.endswith(b"\n> "):
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                break
            output += piece
        return output.decode()

    def write(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def say(self, line):
        self.write(line)
        return self.read()

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(timeout=30)


class UpstreamTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.env = {"PATH": os.environ["PATH"], "HOME": self.folder, "MY_KEY": CANARY}

    def mock(self, **more):
        mock = Mock(**more)
        self.addCleanup(mock.close)
        return mock

    def arbiter(self, *words, stdin=""):
        done = subprocess.run([ARBITER, *words], input=stdin.encode(), cwd=self.folder, env=self.env,
                              capture_output=True, check=False)
        self.assertNotIn(b"canary", done.stdout + done.stderr)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def new_campaign(self):
        pathlib.Path(self.folder, "s.json").write_text('{"stat_data": {"n": 0}}')
        code, _, err = self.arbiter("campaign", "new", "c", "--id", "c", "--profile", "mvu", "--state", "s.json",
                                    "--table", "demo")
        self.assertEqual(code, 0, err)

    def count(self):
        return json.loads(self.arbiter("show", "--state")[1])["stat_data"]["n"]

    def configure(self, url, seconds=60, **more):
        """A configuration with this timeout; short ones are for answers that never come."""
        timeouts = dict.fromkeys(("first_byte", "idle"), seconds) | {"connect": 60, "total": 3 * seconds}
        path = pathlib.Path(self.folder, f"upstream-{seconds}.yaml")
        path.write_text(json.dumps({"url": url, "model": "mock", "key_env": "MY_KEY", "timeouts": timeouts, **more}))
        return str(path)

    def play(self, *words):
        play = Play(*words, cwd=self.folder, env=self.env)
        self.addCleanup(lambda: play.process.poll() is not None or play.process.kill())
        return play

    def outcome_of(self, said):
        """"ok" or the code of the error that the output tells of."""
        found = [code for code, begin in MESSAGES.items() if begin in said]
        return found[0] if found else "ok" if "门开了" in said else said

    # proves: F9
    def every_scenario(self, form):
        mock = self.mock()
        self.new_campaign()
        url = f"http://127.0.0.1:{mock.port}/v1"
        patient, hasty = (self.play("--config", self.configure(url, seconds, stream=form == "stream"))
                          for seconds in (60, 1))
        self.assertEqual(self.outcome_of(patient.say("mock:plain")), "ok")
        self.assertEqual(self.outcome_of(hasty.say("mock:status_401")), "model_key")
        committed = 1
        files = {play: play.files() for play in (patient, hasty)}
        for name, scenario in mock_upstream.SCENARIOS.items():
            with self.subTest(name):
                expected = getattr(scenario, form)
                said = (hasty if expected == "model_timeout" else patient).say(f"mock:{name}")
                self.assertEqual(self.outcome_of(said), expected, said)
                self.assertNotIn("canary", said)
                committed += expected == "ok"
                # The next turn is not disturbed by what the last one left.
                self.assertEqual(self.outcome_of(patient.say("mock:sized")), "ok")
                committed += 1
                self.assertEqual(self.count(), committed)
        deadline = time.monotonic() + 60
        for play, before in files.items():
            while play.files() > before:
                self.assertLess(time.monotonic(), deadline, "descriptors are left")
                time.sleep(0.05)
            self.assertEqual(play.close(), 0 if play is patient else 1)
        self.assertEqual(mock.server.keys, {"Bearer " + CANARY})

    def test_every_scenario_streamed(self):
        self.every_scenario("stream")

    def test_every_scenario_whole(self):
        self.every_scenario("whole")

    # proves: F9
    def test_servers_that_are_not_there(self):
        self.new_campaign()
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
            for url in (f"http://127.0.0.1:{port}/v1", "http://no-such-host.invalid/v1"):
                play = self.play("--upstream", url)
                self.assertEqual(self.outcome_of(play.say("推门")), "model_unreachable", url)
                self.assertEqual(play.close(), 1)
        self.assertEqual(self.count(), 0)

    # proves: F9
    def test_tls(self):
        if shutil.which("openssl") is None:
            self.skipTest("openssl makes the certificate")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
                        "cert.pem", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                       cwd=self.folder, check=True, capture_output=True)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(pathlib.Path(self.folder, "cert.pem"), pathlib.Path(self.folder, "key.pem"))
        mock = self.mock(tls=tls)
        self.new_campaign()
        url = f"https://127.0.0.1:{mock.port}/v1"
        # A certificate that nobody vouches for; the key was not sent.
        play = self.play("--config", self.configure(url))
        said = play.say("推门")
        self.assertEqual(self.outcome_of(said), "model_unreachable", said)
        self.assertEqual(mock.server.keys, set())
        play.close()
        trusted = self.configure(url, ca_file=str(pathlib.Path(self.folder, "cert.pem")))
        play = self.play("--config", trusted)
        self.assertEqual(self.outcome_of(play.say("推门")), "ok")
        play.close()
        # A server that speaks no TLS.
        with socket.create_server(("127.0.0.1", 0)) as plain:
            def refuse():
                while True:
                    try:
                        peer, _ = plain.accept()
                    except OSError:
                        return
                    peer.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                    peer.close()
            thread = threading.Thread(target=refuse)
            thread.start()
            code, out, _ = self.arbiter("connect", "--upstream", f"https://127.0.0.1:{plain.getsockname()[1]}/v1")
            self.assertEqual(code, 1)
            self.assertIn("http instead of https", out)
            plain.shutdown(socket.SHUT_RDWR)
            thread.join()

    def test_an_interrupt_cancels_the_answer(self):
        mock = self.mock()
        self.new_campaign()
        play = self.play("--upstream", f"http://127.0.0.1:{mock.port}/v1")
        for name in ("stall_before_head", "stall_mid_body", "trickle"):
            play.write(f"mock:{name}")
            while not mock.server.requests[name]:
                time.sleep(0.01)
            play.process.send_signal(signal.SIGINT)
            self.assertIn("Cancelled", play.read())
        self.assertEqual(self.outcome_of(play.say("mock:plain")), "ok")
        self.assertEqual(self.count(), 1)
        play.close()
        while mock.server.open:
            time.sleep(0.01)

    def test_live_text_is_shown_while_it_streams(self):
        # The end of a text waits until it cannot be a part of a command or a secret.
        mock = self.mock(text="风很大。" * 100 + TEXT)
        self.new_campaign()
        self.arbiter("settings", "set", "turn.mode", "live")
        play = self.play("--upstream", f"http://127.0.0.1:{mock.port}/v1")
        play.write("mock:stall_mid_body")
        output = b""
        while output.count("风很大。".encode()) < 5:
            output += os.read(play.process.stdout.fileno(), 65536)
        play.process.send_signal(signal.SIGINT)
        self.assertIn("Cancelled", play.read())
        self.assertEqual(self.count(), 0)
        # A whole turn is shown once.
        self.assertEqual(play.say("mock:plain").count("门开了。"), 1)
        self.assertEqual(self.count(), 1)
        play.close()

    def test_a_goal_is_made_by_the_connected_model(self):
        mock = self.mock(text="找到失踪的灯塔守人。")
        pathlib.Path(self.folder, "t.yaml").write_text(
            "id: salt\ntitle: 盐井\ncharacters:\n  mo: {name: 阿墨, hp: {max: 5}}\nparty: [mo]\n")
        code, _, err = self.arbiter("campaign", "new", "--table", "t.yaml")
        self.assertEqual(code, 0, err)
        code, _, err = self.arbiter("campaign", "goal", "generate")
        self.assertEqual(code, 2)
        self.assertIn("arbiter connect", err)
        self.arbiter("connect", "--upstream", f"http://127.0.0.1:{mock.port}/v1", "--no-test")
        code, out, err = self.arbiter("campaign", "goal", "generate")
        self.assertEqual(code, 0, err)
        self.assertIn("找到失踪的灯塔守人。", self.arbiter("show", "--state")[1])

    def test_tools_beside_the_messages_or_in_them(self):
        mock = self.mock(text="门开了。")
        url = f"http://127.0.0.1:{mock.port}/v1"
        play = self.play("--demo", "--upstream", url, "--model", "mock")
        play.say("推门")
        last = mock.server.last
        self.assertEqual(last["model"], "mock")
        self.assertIn("roll", [each["function"]["name"] for each in last["tools"]])
        play.close()
        play = self.play("--demo", "--upstream", url, "--no-tools")
        play.say("推门")
        self.assertNotIn("tools", mock.server.last)
        self.assertNotIn("model", mock.server.last)
        play.close()
        # The demo keeps its own narrator where no model is named.
        before = sum(mock.server.requests.values())
        self.arbiter("connect", "--upstream", url, "--no-test")
        play = self.play("--demo")
        play.say("推门")
        play.close()
        self.assertEqual(sum(mock.server.requests.values()), before)

    def test_connect_sets_up_what_play_uses(self):
        mock = self.mock()
        url = f"http://127.0.0.1:{mock.port}/v1"
        file = pathlib.Path(self.folder, ".config/arbiter/upstream.yaml")
        self.assertEqual(self.arbiter("connect")[0], 1)
        code, out, _ = self.arbiter("connect", "--upstream", url, "--model", "mock", "--api-key-stdin",
                                    stdin=CANARY + "\n")
        self.assertEqual(code, 0, out)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(file.parent.stat().st_mode), 0o700)
        self.assertIn(CANARY, file.read_text())
        self.assertIn("(stored)", self.arbiter("connect")[1])
        self.new_campaign()
        play = self.play()
        self.assertEqual(self.outcome_of(play.say("推门")), "ok")
        play.close()
        self.assertEqual(mock.server.keys, {"Bearer " + CANARY})
        # A part is changed; a key of the environment is not stored.
        code, out, _ = self.arbiter("connect", "--model", "mock-large", "--api-key-env", "MY_KEY", "--json")
        report = json.loads(out)
        self.assertEqual((code, report["usable"], report["saved"], report["model"]), (0, True, True, "mock-large"))
        self.assertEqual(report["models"], ["mock", "mock-large"])
        self.assertNotIn("canary", file.read_text())
        # The key of one server is not sent to another.
        other = self.mock()
        self.arbiter("connect", "--upstream", f"http://127.0.0.1:{other.port}/v1")
        self.assertEqual(other.server.keys, {""})

    # proves: S12
    def test_a_typed_key_is_not_shown(self):
        main, other = pty.openpty()
        file = str(pathlib.Path(self.folder, "u.yaml"))
        child = subprocess.Popen([ARBITER, "connect", "--upstream", "http://127.0.0.1:1/v1", "--api-key-stdin",
                                  "--no-test", "--config", file], stdin=other, stdout=other, stderr=other, env=self.env)
        os.close(other)
        output = b""
        while b"(not shown): " not in output:
            output += os.read(main, 4096)
        os.write(main, CANARY.encode() + b"\n")
        with contextlib.suppress(OSError):  # the terminal is gone with the child
            while piece := os.read(main, 4096):
                output += piece
        os.close(main)
        self.assertEqual(child.wait(timeout=60), 0)
        self.assertNotIn(b"canary", output)
        self.assertIn(CANARY, pathlib.Path(file).read_text())

    def test_connect_says_what_is_wrong(self):
        mock = self.mock()
        base = f"http://127.0.0.1:{mock.port}"
        file = pathlib.Path(self.folder, ".config/arbiter/upstream.yaml")
        for words, said in (
                ((base,), f"Use {base}/v1"),
                ((base + "/status_401/v1", "--api-key-env", "MY_KEY"), "Check that the key is complete"),
                ((base + "/status_401/v1",), "The server wants a key"),
                ((base + "/page/v1", "--model", "mock"), "a web page came instead of an answer: Sign in"),
                ((base + "/redirect/v1", "--model", "mock"), "the server redirects to another address"),
                ((base + "/status_404/v1", "--model", "moc"), "Choose a model of the list with --model: mock"),
                ((base + "/status_429/v1",), "check quota and billing"),
                ((base + "/not_http/v1",), "it is not valid HTTP"),
                ((base + "/key_echo/v1", "--api-key-env", "MY_KEY"), "does not accept the key"),
                (("ftp://x",), "ftp://x"), (("http://u:p@x/v1",), "user name"),
                ((base, "--api-key-env", "NOPE"), "NOPE")):
            code, out, err = self.arbiter("connect", "--upstream", *words)
            self.assertIn(code, (1, 2))
            self.assertIn(said, out + err)
            self.assertFalse(file.exists())
            chinese = self.arbiter("connect", "--lang", "zh", "--upstream", *words)
            if " " in said:
                self.assertNotIn(said, chinese[1] + chinese[2])

    def test_doctor(self):
        mock = self.mock()
        code, out, _ = self.arbiter("doctor")
        self.assertEqual(code, 0, out)
        self.assertIn("No model is connected", out)
        self.new_campaign()
        self.arbiter("connect", "--upstream", f"http://127.0.0.1:{mock.port}/v1", "--model", "mock",
                     "--api-key-stdin", stdin=CANARY)

        def doctor(*words):
            code, out, err = self.arbiter("doctor", "--json", *words)
            report = json.loads(out)
            self.assertEqual(report["healthy"], code == 0, err)
            for each in report["checks"]:
                self.assertTrue(each["message"] and each["message_zh"])
            return {each["name"]: each["outcome"] for each in report["checks"]}

        self.assertEqual(doctor(), dict.fromkeys(
            ("store", "campaigns", "clock", "disk", "protocols", "models", "model", "answer", "files"), "passed"))
        self.assertEqual(doctor("--store", "sqlite:none.db")["store"], "failed")
        self.assertEqual(doctor("--now", "2001-01-01T00:00:00Z")["clock"], "failed")
        file = pathlib.Path(self.folder, ".config/arbiter/upstream.yaml")
        file.chmod(0o644)
        self.assertEqual(doctor()["key"], "failed")
        file.write_text("url: nonsense\n")
        self.assertEqual(doctor()["upstream"], "failed")
        pathlib.Path(self.folder, "p").mkdir()
        pathlib.Path(self.folder, "p/x.yaml").write_text("id: [")
        self.assertEqual(doctor("--protocols", "p")["protocols"], "failed")
        pathlib.Path(self.folder, "arbiter.db").write_text("junk")
        self.assertEqual(doctor()["store"], "failed")


if __name__ == "__main__":
    unittest.main()
