"""A running `arbiter serve` for tests, and a client that speaks plain HTTP to it."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import threading


class Served:
    """`arbiter serve` on a free port in a folder. Stop it with stop() or as a context manager. `under`: a
    program that starts it with other limits."""

    def __init__(self, arbiter, folder, *words, store="sqlite:x.db", env=None, under=()):
        self.folder = folder
        self.child = subprocess.Popen(
            [*under, arbiter, "serve", "--listen", "127.0.0.1:0", "--store", store, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), **(env or {})})
        self.log = []
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        self.port = None
        for line in self.child.stdout:
            if line.startswith("listening on http"):
                self.port = int(line.strip().rsplit(":", 1)[1])
                break
        if self.port is None:
            self.child.wait()
            self.reader.join()
            raise RuntimeError("the server did not start: " + "".join(self.log))
        self.drain = threading.Thread(target=self._read_rest, daemon=True)
        self.drain.start()

    def _read_log(self):
        for line in self.child.stderr:
            self.log.append(line)

    def _read_rest(self):
        for _ in self.child.stdout:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def stop(self, sent=signal.SIGTERM):
        """The exit code."""
        if self.child.poll() is None:
            self.child.send_signal(sent)
        code = self.child.wait(30)
        self.reader.join(5)
        self.drain.join(5)
        self.child.stdout.close()
        self.child.stderr.close()
        return code

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def send(self, method, path, body=None, headers=None, connection=None):
        """Returns status, headers and body; JSON is parsed."""
        made = connection or self.connect()
        sent = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body, ensure_ascii=False).encode()
            sent.setdefault("Content-Type", "application/json")
        made.request(method, path, body=body, headers=sent)
        answer = made.getresponse()
        data = answer.read()
        if connection is None:
            made.close()
        if (answer.getheader("Content-Type") or "").startswith("application/json"):
            data = json.loads(data)
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, data

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.send("POST", path, {} if body is None else body, **more)


def events_of(stream, stop=lambda event: False):
    """Reads server-sent events from a response: (type, id, data) until it ends or stop(event)."""
    kind, ident, data = "message", None, []
    for raw in stream:
        line = raw.decode().rstrip("\r\n")
        if not line:
            if data:
                event = (kind, ident, json.loads("\n".join(data)))
                yield event
                if stop(event):
                    return
            kind, data = "message", []
        elif line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("id: "):
            ident = line[4:]
        elif line.startswith("data: "):
            data.append(line[6:])


def write(folder, name, text):
    path = pathlib.Path(folder, name)
    path.write_text(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False))
    return name
