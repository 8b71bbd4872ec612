"""A model server that misbehaves on request: one scenario a name, scripted to the byte.

    python tests/e2e/mock_upstream.py [--port N] [--tls CERT KEY]   # prints "listening on http://127.0.0.1:PORT"
    python tests/e2e/mock_upstream.py --list

A request chooses its scenario by the path, http://127.0.0.1:PORT/NAME/v1, or by the words mock:NAME in
its last message of the user; the default is `plain`. GET /stats tells what the server has seen. Each
scenario says how a client must end: "ok" or the code of an error, for streams and for whole answers.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import re
import socket
import ssl
import struct
import sys

# The reply of every scenario that gives one. Tests set it to what a turn needs.
TEXT = "门开了。The door opens."


class Scenario:
    def __init__(self, play, stream, whole):
        self.play, self.stream, self.whole = play, stream, whole


SCENARIOS = {}


def scenario(stream="ok", whole=None):
    """Registers a function of a Connection; `whole` is the outcome without a stream, if it differs."""
    def register(play):
        SCENARIOS[play.__name__] = Scenario(play, stream, whole or stream)
        return play
    return register


def answers(name, outcome, status, body, *headers):
    """Registers a scenario that answers with a status and a body."""
    async def play(c):
        await c.send(head(status, f"Content-Length: {len(body)}", *headers) + body)
    SCENARIOS[name] = Scenario(play, outcome, outcome)


def head(status, *headers):
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode()


def event(value):
    return b"data: " + (value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()) + b"\n\n"


def delta(content=None, finish=None, **more):
    message = {**({"content": content} if content is not None else {}), **more}
    return event({"model": "mock", "choices": [{"index": 0, "delta": message, "finish_reason": finish}]})


USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
DONE = b"data: [DONE]\n\n"


def parts(text):
    third = max(1, len(text) // 3)
    return [text[:third], text[third:2 * third], text[2 * third:]]


def stream_of(text, end=None):
    end = delta(finish="stop") + event({"choices": [], "usage": USAGE}) + DONE if end is None else end
    return delta("", role="assistant") + b"".join(delta(each) for each in parts(text)) + end


def whole_of(text, finish="stop", usage=USAGE, **more):
    message = {"role": "assistant", "content": text, **more}
    return json.dumps({"model": "mock", "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                       "usage": usage}, ensure_ascii=False).encode()


class Connection:
    """One request of a client, and the socket to answer it on."""

    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.method, self.path, self.headers, self.body = "", "", {}, b""

    async def read_request(self):
        line = await self.reader.readline()
        if not line:
            return False
        self.method, self.path = line.decode("latin-1").split()[:2]
        self.headers = {}
        while (line := await self.reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            self.headers[name.strip().lower()] = value.strip()
        self.body = await self.reader.readexactly(int(self.headers.get("content-length", 0)))
        return True

    @property
    def json(self):
        return json.loads(self.body or b"{}")

    @property
    def is_streamed(self):
        return bool(self.json.get("stream"))

    @property
    def text(self):
        return self.server.text

    def body_of(self, text=None):
        """The body of a good answer in the form that was asked for."""
        text = self.text if text is None else text
        return stream_of(text) if self.is_streamed else whole_of(text)

    @property
    def kind(self):
        return "Content-Type: " + ("text/event-stream" if self.is_streamed else "application/json")

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def send_slowly(self, data, pause=0.0, size=1):
        for at in range(0, len(data), size):
            await self.send(data[at:at + size])
            await asyncio.sleep(pause)

    async def send_chunks(self, body, *headers, size=4096):
        await self.send(head("200 OK", self.kind, "Transfer-Encoding: chunked", *headers))
        for at in range(0, len(body), size):
            piece = body[at:at + size]
            await self.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        await self.send(b"0\r\n\r\n")

    async def send_sized(self, body, *headers, length=None):
        await self.send(head("200 OK", self.kind, f"Content-Length: {len(body) if length is None else length}",
                             *headers) + body)

    async def send_until_close(self, body, *headers):
        await self.send(head("200 OK", *headers) + body)
        self.close()

    def close(self):
        self.writer.close()

    def reset(self):
        """Ends the connection with RST."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def stall(self):
        """Says nothing until the client hangs up."""
        with contextlib.suppress(OSError):
            await self.reader.read()


class Server:
    def __init__(self, text=TEXT):
        self.text = text
        self.requests = collections.Counter()
        self.open = 0
        self.accepted = 0
        self.last = None  # the last request for an answer, as JSON
        self.keys = set()
        self.tasks = set()

    async def start(self, port=0, tls=None):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", port, ssl=tls, limit=1 << 24)
        return self.server.sockets[0].getsockname()[1]

    async def close(self):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def serve(self, reader, writer):
        self.open += 1
        self.accepted += 1
        task = asyncio.current_task()
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        try:
            while not writer.is_closing():
                c = Connection(self, reader, writer)
                if not await c.read_request():
                    break
                await self.answer(c)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            with contextlib.suppress(OSError):
                writer.close()

    def name_of(self, c):
        found = re.match(r"/(\w+)/v1/", c.path)
        if found:
            return found[1]
        said = [each.get("content") or "" for each in c.json.get("messages", []) if each["role"] == "user"]
        found = re.findall(r"mock:(\w+)", said[-1]) if said else None
        return found[-1] if found else "plain"

    async def answer(self, c):
        self.keys.add(c.headers.get("authorization", ""))
        if c.path == "/stats":
            stats = {"open": self.open, "accepted": self.accepted, "requests": self.requests, "last": self.last}
            await c.send_sized(json.dumps(stats).encode())
        elif c.method == "GET" and c.path.endswith("/v1/models"):
            await c.send_sized(json.dumps({"data": [{"id": "mock"}, {"id": "mock-large"}]}).encode())
        elif c.method == "POST" and c.path.endswith("/v1/chat/completions"):
            name = self.name_of(c)
            self.requests[name] += 1
            self.last = c.json
            if name in SCENARIOS:
                await SCENARIOS[name].play(c)
            else:
                await c.send(head("404 Not Found", "Content-Length: 11") + b"no scenario")
        else:
            await c.send(head("404 Not Found", "Content-Length: 9") + b"not found")


# Good answers in every form.

@scenario()
async def plain(c):
    await c.send_chunks(c.body_of())


@scenario()
async def sized(c):
    await c.send_sized(c.body_of())


@scenario()
async def until_close(c):
    await c.send_until_close(c.body_of(), c.kind)


@scenario()
async def http_1_0(c):
    await c.send(head("200 OK", c.kind).replace(b"HTTP/1.1", b"HTTP/1.0") + c.body_of())
    c.close()


@scenario()
async def one_byte(c):
    await c.send_slowly(head("200 OK", c.kind, "Transfer-Encoding: chunked"))
    for byte in c.body_of():
        await c.send(b"1\r\n%c\r\n" % byte)
        await asyncio.sleep(0)
    await c.send_slowly(b"0\r\n\r\n")


@scenario()
async def split_characters(c):
    # Chunks of two bytes cut every Chinese character.
    await c.send_chunks(c.body_of(), size=2)


@scenario()
async def interim(c):
    await c.send(head("100 Continue") + head("103 Early Hints", "Link: </x>; rel=preload"))
    await c.send_chunks(c.body_of())


@scenario()
async def trailers(c):
    body = c.body_of()
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked", "Trailer: X-Sum"))
    await c.send(b"%x;ext=1\r\n%s\r\n0\r\nX-Sum: 1\r\n\r\n" % (len(body), body))


@scenario()
async def keep_alive_closed(c):
    # Promises to keep the connection and closes it: the next request finds it dead.
    await c.send_sized(c.body_of(), "Connection: keep-alive")
    await asyncio.sleep(0.05)
    c.close()


@scenario()
async def two_answers(c):
    # The second answer was not asked for and must not become the next one.
    await c.send(head("200 OK", c.kind, f"Content-Length: {len(c.body_of())}") + c.body_of() +
                 head("200 OK", c.kind, "Content-Length: 5") + b"wrong")


@scenario()
async def crlf(c):
    await c.send_chunks(c.body_of().replace(b"\n", b"\r\n"))


@scenario()
async def cr(c):
    await c.send_chunks(c.body_of().replace(b"\n", b"\r"))


@scenario()
async def bom(c):
    await c.send_chunks(b"\xef\xbb\xbf" + c.body_of())


@scenario()
async def comments(c):
    body = c.body_of()
    await c.send_chunks(b": ping\n\n" * 20 + body.replace(b"data:", b": x\nid: 1\ndata:") if c.is_streamed else body)


@scenario()
async def wrong_type(c):
    body = c.body_of()
    kind = "application/json" if c.is_streamed else "text/event-stream"
    await c.send(head("200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}") + body)


@scenario()
async def no_type(c):
    body = c.body_of()
    await c.send(head("200 OK", f"Content-Length: {len(body)}") + body)


@scenario()
async def other_form(c):
    # A whole answer to a request for a stream, and a stream to one for a whole answer.
    await c.send_sized(whole_of(c.text) if c.is_streamed else stream_of(c.text))


@scenario()
async def no_done(c):
    body = stream_of(c.text, end=delta(finish="stop")) if c.is_streamed else c.body_of()
    await c.send_chunks(body)


@scenario()
async def done_only(c):
    await c.send_chunks(stream_of(c.text, end=DONE) if c.is_streamed else whole_of(c.text, finish=None))


@scenario()
async def done_and_open(c):
    # [DONE] came, the body never ends.
    if not c.is_streamed:
        await c.send_sized(c.body_of())
        return
    body = c.body_of()
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(body), body))
    await c.stall()


@scenario()
async def after_done(c):
    await c.send_chunks(c.body_of() + (delta("more") + event(b"{garbage") if c.is_streamed else b"  \n"))


@scenario()
async def usage_null(c):
    body = delta(c.text) + delta(finish="stop") + event({"choices": [], "usage": None}) + DONE
    await c.send_chunks(body if c.is_streamed else whole_of(c.text, usage=None))


@scenario()
async def choices_null(c):
    body = event({"choices": None, "usage": USAGE}) + stream_of(c.text)
    await c.send_chunks(body if c.is_streamed else c.body_of())


@scenario()
async def content_parts(c):
    content = [{"type": "text", "text": each} for each in parts(c.text)]
    await c.send_chunks(delta(content) + delta(finish="stop") + DONE if c.is_streamed else whole_of(content))


@scenario()
async def reasoning(c):
    body = delta(reasoning_content="Let me ") + delta(reasoning="think.") + stream_of(c.text)
    await c.send_chunks(body if c.is_streamed else whole_of(c.text, reasoning_content="Let me think."))


@scenario()
async def cut_by_length(c):
    body = delta(c.text) + delta(finish="length") + DONE
    await c.send_chunks(body if c.is_streamed else whole_of(c.text, finish="length"))


@scenario()
async def tool_calls(c):
    arguments = '{"dice": "1d6", "purpose": "开锁"}'
    call = {"id": "call_a", "type": "function", "function": {"name": "roll", "arguments": arguments}}
    if any(each["role"] == "tool" for each in c.json["messages"]):
        await c.send_chunks(c.body_of())
        return
    if not c.is_streamed:
        await c.send_chunks(whole_of("", finish="tool_calls", tool_calls=[call]))
        return
    body = delta(tool_calls=[{"index": 0, **call, "function": {"name": "roll", "arguments": ""}}])
    for piece in parts(arguments):
        body += delta(tool_calls=[{"index": 0, "function": {"arguments": piece}}])
    await c.send_chunks(body + delta(finish="tool_calls") + DONE)


@scenario()
async def repeated_chunk(c):
    body = delta(c.text) + delta("\n") * 2 + delta(finish="stop") + delta(finish="stop") + DONE
    await c.send_chunks(body if c.is_streamed else c.body_of())


@scenario()
async def out_of_order(c):
    body = event({"choices": [], "usage": USAGE}) + delta(finish="stop") + delta(c.text) + DONE
    await c.send_chunks(body if c.is_streamed else c.body_of())


@scenario()
async def bad_utf8(c):
    await c.send_chunks(c.body_of(c.text + "\n@@").replace(b"@@", b"\xe4\xbd \xff\xc0\x80"))


@scenario()
async def half_characters(c):
    # Each delta ends inside a character, as servers send it that cut between tokens.
    raw = c.text.encode()
    body = b"".join(delta("@").replace(b"@", raw[i:i + 2]) for i in range(0, len(raw), 2))
    body += delta(finish="stop") + DONE
    await c.send_chunks(body if c.is_streamed else c.body_of())


@scenario()
async def retried_429(c):
    await refuse_once(c, "429 Too Many Requests")


@scenario()
async def retried_503(c):
    await refuse_once(c, "503 Service Unavailable")


async def refuse_once(c, status):
    if c.server.requests[c.server.name_of(c)] % 2 == 1:
        await c.send(head(status, "Content-Length: 4", "Retry-After: 0") + b"wait")
    else:
        await c.send_chunks(c.body_of())


# Refusals.

def error(message, **more):
    return json.dumps({"error": {"message": message, **more}}).encode()


answers("status_400", "model_refused", "400 Bad Request", error("bad request"))
answers("status_401", "model_key", "401 Unauthorized", error("wrong key"))
answers("status_403", "model_key", "403 Forbidden", error("not yours"))
answers("status_404", "model_refused", "404 Not Found", error("The model does not exist"))
answers("status_429", "model_rate_limited", "429 Too Many Requests", error("slow down"), "Retry-After: 60")
answers("status_429_always", "model_rate_limited", "429 Too Many Requests", error("slow down"), "Retry-After: 0")
answers("quota", "model_rate_limited", "429 Too Many Requests", error("You exceeded your current quota"))
answers("status_500", "model_overloaded", "500 Internal Server Error", b"oops")
answers("status_502", "model_overloaded", "502 Bad Gateway", b"<html><title>502 Bad Gateway</title></html>")
answers("status_503", "model_overloaded", "503 Service Unavailable", error("loading model"), "Retry-After: 0")
answers("status_529", "model_overloaded", "529 Overloaded", error("overloaded"))
answers("status_204", "model_bad_answer", "204 No Content", b"")
answers("too_long", "model_too_long", "400 Bad Request",
        error("the request exceeds the available context size", type="exceed_context_size_error"))
answers("page", "model_refused", "200 OK", b"<!DOCTYPE html><html><title>Sign in</title></html>",
        "Content-Type: text/html")
answers("redirect", "model_refused", "302 Found", b"", "Location: http://169.254.169.254/latest/meta-data/")
answers("redirect_308", "model_refused", "308 Permanent Redirect", b"", "Location: /v1/elsewhere")
answers("gzip", "model_bad_answer", "200 OK", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "Content-Encoding: gzip")
answers("error_in_200", "model_overloaded", "200 OK", error("it broke"))
answers("array", "model_bad_answer", "200 OK", b"[1, 2]")
answers("number", "model_bad_answer", "200 OK", b"{\"choices\": 7}")
answers("nothing", "model_bad_answer", "200 OK", b"")
answers("blanks", "model_bad_answer", "200 OK", b"\n \n")
answers("no_choices", "model_bad_answer", "200 OK", b"{\"choices\": []}")
answers("plain_words", "model_bad_answer", "200 OK", b"hello")


@scenario("model_key")
async def key_echo(c):
    body = error("Incorrect API key provided: " + c.headers.get("authorization", "none"))
    await c.send(head("401 Unauthorized", f"Content-Length: {len(body)}") + body)


@scenario("model_key")
async def key_in_reason(c):
    await c.send(head("401 " + c.headers.get("authorization", "none"), "Content-Length: 0"))


@scenario("model_refused")
async def filtered(c):
    body = delta(finish="content_filter") + DONE
    await c.send_chunks(body if c.is_streamed else whole_of("", finish="content_filter"))


@scenario("model_bad_answer")
async def empty(c):
    await c.send_chunks(c.body_of(""))


@scenario("model_overloaded")
async def error_mid_stream(c):
    body = delta(c.text) + event(error("GPU fell off the bus", code=500)) + DONE
    await c.send_chunks(body if c.is_streamed else error("GPU fell off the bus", code=500))


@scenario("model_overloaded")
async def error_event(c):
    body = delta(c.text) + b"event: error\ndata: it broke\n\n"
    await c.send_chunks(body if c.is_streamed else error("it broke"))


@scenario("model_cut_off", "model_bad_answer")
async def aborted(c):
    await c.send_chunks(delta(c.text) + delta(finish="abort") if c.is_streamed else b"{\"choices\": [")


# Broken connections.

def half(c):
    body = c.body_of()
    return body[:len(body) // 2]


@scenario("model_cut_off")
async def close_before_head(c):
    c.close()


@scenario("model_cut_off")
async def close_in_head(c):
    await c.send(b"HTTP/1.1 200 OK\r\nContent-")
    c.close()


@scenario("model_cut_off")
async def reset_before_head(c):
    c.reset()


@scenario("model_cut_off")
async def close_mid_body(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(half(c)), half(c)))
    c.close()


@scenario("model_cut_off")
async def close_mid_chunk(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"ffff\r\n" + half(c))
    c.close()


@scenario("model_cut_off")
async def half_close(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(half(c)), half(c)))
    c.writer.write_eof()
    await c.stall()


@scenario("model_cut_off")
async def reset_mid_body(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(half(c)), half(c)))
    await asyncio.sleep(0.1)
    c.reset()


@scenario("model_cut_off", "model_bad_answer")
async def no_end(c):
    body = stream_of(c.text, end=b"") if c.is_streamed else half(c)
    await c.send_until_close(body, c.kind)


@scenario("model_cut_off", "model_bad_answer")
async def length_short(c):
    body = c.body_of()
    await c.send_sized(body, length=len(body) // 2)


@scenario("ok", "model_cut_off")
async def length_long(c):
    await c.send_sized(c.body_of(), length=100_000)
    c.close()


@scenario("model_timeout")
async def stall_before_head(c):
    await c.stall()


@scenario("model_timeout")
async def stall_in_head(c):
    await c.send(b"HTTP/1.1 200 OK\r\nContent-")
    await c.stall()


@scenario("model_timeout")
async def stall_before_body(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked"))
    await c.stall()


@scenario("model_timeout")
async def stall_mid_body(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(half(c)), half(c)))
    await c.stall()


@scenario("model_timeout")
async def trickle(c):
    # Always alive, never complete: only a limit for the whole answer ends it.
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked"))
    while True:
        await c.send(b"1\r\n\n\r\n")
        await asyncio.sleep(0.2)


# Broken messages.

@scenario("model_bad_answer")
async def not_http(c):
    await c.send(b"SSH-2.0-OpenSSH_9.2\r\n")
    c.close()


@scenario("model_bad_answer")
async def binary(c):
    await c.send(bytes(range(256)) * 8)
    c.close()


@scenario("model_bad_answer")
async def garbage_json(c):
    await c.send_chunks(delta(c.text) + event(b"{\"choices\": [{]}") + DONE if c.is_streamed else b"{\"choices\": [{]}")


@scenario("model_bad_answer")
async def nul_bytes(c):
    await c.send_chunks(c.body_of(c.text + "@@").replace(b"@@", b"\0\0"))


@scenario("model_bad_answer")
async def oversize_line(c):
    if c.is_streamed:
        await c.send_chunks(delta("x" * (2 << 20)) + DONE, size=65536)
    else:
        await c.send_chunks(b"{\"choices\": \"" + b"x" * (33 << 20), size=1 << 20)


@scenario("model_bad_answer")
async def oversize_reply(c):
    if c.is_streamed:
        await c.send_chunks(delta("x" * 1_000_000) * 18 + DONE, size=1 << 20)
    else:
        await c.send_chunks(whole_of("x" * (17 << 20)), size=1 << 20)


@scenario("model_bad_answer")
async def chunk_overflow(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"fffffffffffffffff\r\n" + c.body_of())
    await c.stall()


@scenario("model_bad_answer")
async def chunk_garbage(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"zz\r\n" + c.body_of())
    await c.stall()


@scenario("model_bad_answer")
async def chunk_extension_bomb(c):
    await c.send(head("200 OK", c.kind, "Transfer-Encoding: chunked") + b"5;" + b"x" * 100_000 + b"\r\nhello\r\n")
    await c.stall()


@scenario("model_bad_answer")
async def header_bomb(c):
    await c.send(head("200 OK", "X-Bomb: " + "x" * (1 << 20)))
    await c.stall()


@scenario("model_bad_answer")
async def many_headers(c):
    await c.send(head("200 OK", *[f"X-{i}: 1" for i in range(5000)]))
    await c.stall()


@scenario("model_bad_answer")
async def two_lengths(c):
    body = c.body_of()
    await c.send(head("200 OK", c.kind, f"Content-Length: {len(body)}", "Content-Length: 3") + body)
    c.close()


@scenario("model_bad_answer")
async def length_and_chunks(c):
    await c.send_chunks(c.body_of(), "Content-Length: 3")


@scenario("model_bad_answer")
async def negative_length(c):
    await c.send_sized(c.body_of(), length=-1)
    c.close()


@scenario("model_bad_answer")
async def switching(c):
    await c.send(head("101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"))
    await c.stall()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"))
    parser.add_argument("--text", default=TEXT, help="the reply of every scenario that gives one")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, each in SCENARIOS.items():
            print(f"{name}\t{each.stream}\t{each.whole}")
        return
    tls = None
    if options.tls:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*options.tls)
    server = Server(options.text)
    port = await server.start(options.port, tls)
    print(f"listening on http{'s' if tls else ''}://127.0.0.1:{port}", flush=True)
    # Ends with its parent, which holds the other end of standard input.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
