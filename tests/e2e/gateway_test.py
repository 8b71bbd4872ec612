"""Goal: an unchanged client of chat completions gets state that follows its chat: sends, swipes, edits,
deletions, branches, continuations, stops, cut heads, quiet questions and group nudges (the semantics of
chats behind the gateway), and never a byte of a machine block.
Method: starts the binary with a scripted model server, sends what SillyTavern sends, and compares the
state after each request with a fresh campaign to which the commands of the surviving replies are
applied, in order.
Usage: gateway_test.py PATH_OF_ARBITER
"""

import http.server
import json
import pathlib
import socket
import sys
import tempfile
import threading
import time
import unittest

from serving import Served

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
CONTINUE = "[Continue your last message without repeating its original content.]"
START = {"log": [], "sum": 0, "last": ""}
INITVAR = '<initvar>{"log": ["$__META_EXTENSIBLE__$"], "sum": 0, "last": ""}</initvar>'
WORDS = "amber bridge candle distant ember forest garnet harbour ivory jagged kettle lantern".split()


def block(n):
    """The commands of a reply. Their order shows in the state."""
    return (f"<UpdateVariable>_.insert('log', {n});//why\n_.add('sum', {n});//why\n"
            f"_.set('last', 'reply {n}');//why</UpdateVariable>")


def call(n):
    """The same for a table: a change that only a tool can make."""
    delta = -1 if n % 2 else 1
    return ('<tool_call>' + json.dumps({"id": f"c{n}", "tool": "hp_delta", "args": {
        "target_character_id": "ali", "delta": delta, "cause": "fog"}}) + '</tool_call>')


# A reply that Arbiter refuses where it owns the table.
REFUSED = "A draft. <UpdateVariable>_.set('campaign.characters.ali.name', 'Bea');//why</UpdateVariable>"


class Upstream:
    """A model whose n-th reply says something of its own and logs n in a block."""

    def __init__(self):
        self.count, self.requests, self.aborted = 0, [], threading.Event()
        self.mode, self.next_text, self.size = "plain", None, 7
        self.cut = None  # where the next texts are cut in two; None: in pieces of `size`
        self.refused = 0  # the next so many replies are refused
        self.commands = block
        upstream = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                upstream.requests.append((self.path, dict(self.headers), body))
                upstream.answer(self, body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    @staticmethod
    def text_of(n):
        return " ".join(f"{WORDS[(n * 7 + i * i) % len(WORDS)]}{n * 31 + i}" for i in range(9)) + "."

    def reply(self):
        if self.next_text is not None:
            text, self.next_text = self.next_text, None
            return text
        if self.refused > 0:
            self.refused -= 1
            return REFUSED
        self.count += 1
        return f"{self.text_of(self.count)}\n{self.commands(self.count)}"

    def answer(self, handler, body):
        if self.mode == "limited":
            data = json.dumps({"error": {"message": "请慢一点: slow down", "type": "rate_limit"}}).encode()
            handler.send_response(429)
            handler.send_header("Retry-After", "60")
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
            return
        text = self.reply()
        if handler.path.endswith("/v1/completions"):
            data = json.dumps({"choices": [{"text": "raw " + body["prompt"]}]}).encode()
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        half = len(text) // 3
        try:
            starts = range(0, len(text), self.size) if self.cut is None else (0, self.cut)
            for at, end in zip(starts, [*starts[1:], len(text)]):
                if self.mode in ("hang", "broken") and at > half:
                    break
                self.send(handler, {"content": text[at:end]})
            if self.mode == "broken":
                return
            while self.mode == "hang":
                handler.wfile.write(b": still here\n\n")
                handler.wfile.flush()
                time.sleep(0.05)
            calls = body.get("tools") and self.mode == "tools"
            if calls:
                self.send(handler, {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {
                    "name": "weather", "arguments": "{\"city\": \"x\"}"}}]})
            self.send(handler, {}, "tool_calls" if calls else "stop")
            handler.wfile.write(b'data: {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5}}\n\n')
            handler.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            self.aborted.set()

    @staticmethod
    def send(handler, delta, finish=None):
        data = json.dumps({"model": "mock", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        handler.wfile.write(f"data: {data}\n\n".encode())
        handler.wfile.flush()


class Tavern:
    """A client that keeps its chat as SillyTavern does. Messages are [role, text, commands]."""

    def __init__(self, test, path="/c/a", hints=False, greeting=None, blocks=False):
        self.test, self.path, self.hints, self.chat = test, path, hints, []
        self.blocks = blocks  # the campaign passes them on
        self.joined = False  # everything in one message of the user
        self.campaign = "a"
        self.prefix, self.cut, self.inject, self.swipes = "", 0, False, 1
        if greeting:
            self.chat.append(["assistant", greeting, []])

    def messages(self, *behind):
        made = [{"role": "system", "content": "You narrate. Be brief."},
                {"role": "system", "content": "[Start a new Chat]"}]
        for i, (role, text, _) in enumerate(self.chat[self.cut:]):
            if self.inject and i % 3 == 1:
                made.append({"role": "system", "content": f"[Lore at depth {len(self.chat)}]"})
            name = {"user": "Bob: ", "assistant": "Alice: "}[role] if self.prefix else ""
            made.append({"role": role, "content": name + text})
        made += [{"role": "system", "content": text} for text in behind]
        if self.joined:
            return [{"role": "user", "content": "\n\n".join(each["content"] for each in made)}]
        return made

    def request(self, messages, generation, stream=True, **more):
        body = {"messages": messages, "model": "m", "temperature": 1, "max_tokens": 300, "stream": stream,
                "presence_penalty": 0, "top_p": 1, **more}
        headers = {"Authorization": "Bearer ", "Content-Type": "application/json"}
        if self.hints:
            # The index of the last message; of a swipe that is the reply to be replaced.
            is_swipe = generation in ("swipe", "regenerate")
            headers |= {"X-Gen-Type": generation, "X-Mid": str(len(self.chat) - (0 if is_swipe else 1))}
            if is_swipe:
                headers["X-Swipe"] = str(self.swipes)
        connection = self.test.served.connect()
        connection.request("POST", self.path + "/chat/completions", json.dumps(body), headers)
        return connection, connection.getresponse()

    def ask(self, generation, *behind, stream=True, **more):
        """The text of an answer."""
        connection, answer = self.request(self.messages(*behind), generation, stream, **more)
        data = answer.read().decode()
        connection.close()
        self.test.assertEqual(answer.status, 200, data)
        self.campaign = answer.getheader("X-Arbiter-Campaign")
        self.turn = answer.getheader("X-Arbiter-Turn")
        if not stream:
            return json.loads(data)["choices"][0]["message"]["content"]
        text = ""
        events = [line[6:] for line in data.split("\n") if line.startswith("data: ")]
        self.test.assertEqual(events[-1], "[DONE]")
        for event in events[:-1]:
            chunk = json.loads(event)
            self.test.assertNotIn("error", chunk)
            for choice in chunk["choices"]:
                text += choice["delta"].get("content") or ""
        if not self.blocks or generation in ("quiet", "impersonate"):
            for part in ("<Upd", "_.insert", "_.add", "_.set", "Variable>", "//why", "<tool_call", "A draft"):
                self.test.assertNotIn(part, data)
        return text

    def check(self):
        numbers = [n for _, _, commands in self.chat for n in commands]
        document = self.test.document(self.campaign)
        self.test.assertEqual(document["log"], numbers, self.chat)
        self.test.assertEqual(document, self.test.replayed(numbers), self.chat)

    def send(self, said=None, **more):
        self.swipes = 1
        self.chat.append(["user", said or f"I do thing {len(self.test.upstream.requests)}.", []])
        self.reply("normal", **more)

    def reply(self, generation, *behind, **more):
        text = self.ask(generation, *behind, **more)
        self.test.assertEqual(self.blocks, block(self.test.upstream.count) in text)
        self.chat.append(["assistant", text.strip(), [self.test.upstream.count]])
        self.check()

    def swipe(self, generation="swipe"):
        old = self.chat.pop()
        self.swipes += 1
        self.reply(generation)
        return old

    def stop(self):
        """Sends, reads the beginning and hangs up."""
        self.chat.append(["user", f"Stop {len(self.test.upstream.requests)}.", []])
        upstream = self.test.upstream
        upstream.mode = "hang"
        upstream.aborted.clear()
        connection, answer = self.request(self.messages(), "normal")
        text = ""
        while len(text) < 10:
            line = answer.readline().decode()
            if line.startswith("data: "):
                for choice in json.loads(line[6:])["choices"]:
                    text += choice["delta"].get("content") or ""
        connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()
        self.test.assertTrue(upstream.aborted.wait(3), "the upstream request was not aborted")
        upstream.mode = "plain"
        self.chat.append(["assistant", text.strip(), []])


class GatewayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.upstream = Upstream()
        self.addCleanup(self.upstream.close)
        self.folder = folder.name
        self.served = self.serve()
        status, _, made = self.served.post("/api/v1/campaigns",
                                           {"id": "a", "profile": "mvu", "state": START})
        self.assertEqual(status, 201, made)
        self.replays = {}

    def serve(self):
        served = Served(ARBITER, self.folder, "--upstream", self.upstream.url, "--model", "mock")
        self.addCleanup(served.stop)
        return served

    def document(self, campaign):
        status, _, state = self.served.get(f"/api/v1/campaigns/{campaign}/state")
        self.assertEqual(status, 200, state)
        return state["document"].get("stat_data", state["document"])

    def replayed(self, numbers):
        """The state of a fresh campaign after the commands of these replies."""
        key = tuple(numbers)
        if key not in self.replays:
            name = f"replay-{len(self.replays)}"
            status, _, made = self.served.post("/api/v1/campaigns", {"id": name, "profile": "mvu", "state": START})
            self.assertEqual(status, 201, made)
            if numbers:
                status, _, made = self.served.post(f"/api/v1/campaigns/{name}/propose", {
                    "text": "".join(map(block, numbers)), "actor": "ai"})
                self.assertEqual(status, 200, made)
            self.replays[key] = self.document(name)
            self.served.send("DELETE", f"/api/v1/campaigns/{name}")
        return self.replays[key]

    def play(self, tavern):
        for _ in range(3):
            tavern.send()
        olds = [tavern.swipe() for _ in range(5)]
        tavern.send()
        # Edited a little, the last reply and an earlier one.
        tavern.chat[-1][1] = tavern.chat[-1][1].replace("2", "4", 1)
        tavern.chat[1][1] += " Indeed."
        tavern.send()
        tavern.swipe("regenerate")
        del tavern.chat[-2:]
        # Swiped back to an earlier one, whose text was edited a little.
        tavern.chat[-3:] = [olds[2]]
        tavern.chat[-1][1] = tavern.chat[-1][1].replace("1", "7", 1)
        tavern.send()
        # Deleted from the end.
        del tavern.chat[-4:]
        tavern.send()
        tavern.check()
        # Continued, twice.
        for _ in range(2):
            more = tavern.ask("continue", CONTINUE)
            tavern.chat[-1][1] += more.strip()
            tavern.chat[-1][2].append(self.upstream.count)
            tavern.check()
        tavern.send()
        # Stopped; the text stays in the chat and counts for nothing. Then continued.
        tavern.stop()
        more = tavern.ask("continue", CONTINUE)
        tavern.chat[-1][1] += " " + more.strip()
        tavern.chat[-1][2].append(self.upstream.count)
        tavern.check()
        tavern.stop()
        tavern.send()
        # A branch, and the first chat again.
        first = list(tavern.chat)
        tavern.chat = [list(each) for each in tavern.chat[:6]]
        tavern.send("Another way.")
        tavern.chat, branch = first, tavern.chat
        tavern.send()
        tavern.chat = branch
        tavern.send()
        tavern.chat = first
        # The head is cut off.
        tavern.cut = 5
        tavern.send()
        tavern.cut = 0
        # Quiet questions and impersonation change nothing.
        self.upstream.next_text = "Summary. " + block(99)
        self.assertEqual(tavern.ask("quiet", "Summarise what happened.").strip(), "Summary.")
        tavern.check()
        tavern.ask("impersonate", "Write what the player says next.")
        self.upstream.count -= 1
        tavern.check()
        # Another speaker.
        tavern.reply("normal", "[Write the next reply only as Carol.]")
        tavern.send(stream=False)

    def test_the_state_follows_the_chat(self):
        self.play(Tavern(self))

    def test_the_state_follows_the_chat_with_hints(self):
        self.play(Tavern(self, "/c/a/v1", hints=True))

    def test_the_state_follows_a_chat_with_names_and_injections(self):
        tavern = Tavern(self)
        tavern.prefix, tavern.inject = "x", True
        self.play(tavern)

    def pass_blocks(self, campaign="a"):
        status, _, answer = self.served.send("PATCH", f"/api/v1/campaigns/{campaign}/settings",
                                             {"chat.passthrough_blocks": True})
        self.assertEqual(status, 200, answer)

    def test_the_state_follows_a_chat_that_gets_the_blocks(self):
        self.pass_blocks()
        self.play(Tavern(self, blocks=True))
        self.play(Tavern(self, blocks=True, hints=True))

    def test_the_state_follows_a_chat_in_one_message(self):
        tavern = Tavern(self)
        tavern.joined = True
        tavern.send()
        tavern.send()
        tavern.swipe()
        more = tavern.ask("continue", CONTINUE)
        tavern.chat[-1][1] += "\n" + more.strip()
        tavern.chat[-1][2].append(self.upstream.count)
        tavern.check()
        tavern.reply("normal", "[Write the next reply only as Carol.]")
        tavern.send()
        del tavern.chat[-4:]
        tavern.send()

    def test_point_and_play(self):
        """Without any hint the chat gets a campaign of its own, and keeps it."""
        tavern = Tavern(self, "/v1", greeting="Welcome to the harbour. " + INITVAR)
        tavern.send("Hello.")
        own = tavern.campaign
        self.assertNotEqual(own, "a")
        tavern.chat.pop()
        tavern.reply("swipe")
        tavern.send()
        tavern.cut = 3
        tavern.send()
        self.assertEqual(tavern.campaign, own)
        other = Tavern(self, "/v1")
        other.chat.append(["user", "Somewhere else entirely.", []])
        other.ask("normal")
        self.assertNotIn(other.campaign, (own, "a"))
        tavern.check()

    def test_a_new_chat_of_a_card_that_a_campaign_has_gets_one_of_its_own(self):
        """Every chat of a card begins with the same greeting, so the greeting does not tell which."""
        greeting = "The lamp turns. Who is there? " + INITVAR
        card = {"spec": "chara_card_v2", "spec_version": "2.0",
                "data": {"name": "Mira", "first_mes": greeting, "description": "Mira keeps a lighthouse."}}
        form = "\r\n".join([
            "--x", 'Content-Disposition: form-data; name="card"; filename="card.json"',
            "Content-Type: application/json", "", json.dumps(card),
            "--x", 'Content-Disposition: form-data; name="id"', "", "mira", "--x--", ""])
        status, _, made = self.served.post("/api/v1/campaigns", form.encode(),
                                           headers={"Content-Type": "multipart/form-data; boundary=x"})
        self.assertEqual(status, 201, made)
        chats = [Tavern(self, "/v1", greeting=greeting) for _ in range(2)]
        for number, tavern in enumerate(chats):
            tavern.send(f"Beginning {number}.")
            tavern.send()
        self.assertEqual(len({"mira", *(each.campaign for each in chats)}), 3)

    def test_the_chat_goes_on_after_a_restart(self):
        self.served.post("/api/v1/campaigns", {"id": "b", "profile": "mvu", "state": START})
        self.pass_blocks("b")
        for path, blocks in (("/c/a", False), ("/v1", False), ("/c/b", True)):
            tavern = Tavern(self, path, blocks=blocks)
            tavern.chat = []
            if path == "/v1":
                tavern.chat.append(["assistant", "Ahoy. " + INITVAR, []])
            tavern.send("First words.")
            tavern.send()
            old = tavern.swipe()
            tavern.stop()
            tavern.send()
            campaign = tavern.campaign
            self.served.stop()
            self.served = self.serve()
            tavern.send()
            tavern.chat[-7:] = []
            tavern.chat.append(old)
            tavern.send()
            self.assertEqual(tavern.campaign, campaign)

    def test_greetings_are_replies(self):
        """Greetings of the client with and without commands, chosen, edited and deleted, and a first reply that
        takes their place."""
        greetings = ["Welcome to the old mill by the river.", "Rain falls on the harbour tonight. " + block(601),
                     "A letter waits for you on the table. " + block(602)]
        tavern = Tavern(self)

        def choose(text, commands):
            tavern.chat = [["assistant", text, commands]]
            tavern.send("The same words.")
            tavern.send()
        for _ in range(2):
            choose(greetings[0], [])
            choose(greetings[1], [601])
            choose(greetings[2], [602])
        choose(greetings[1].replace("tonight", "again"), [601])
        del tavern.chat[1:3]  # the first pair
        tavern.send()
        choose("Nothing of the kind happens here.", [])
        # Another speaker before the player's first words, deleted again; and the greeting continued.
        tavern.chat = [["assistant", greetings[0], []]]
        tavern.reply("normal", "[Write the next reply only as Carol.]")
        del tavern.chat[1]
        tavern.send()
        tavern.chat = [["assistant", greetings[2], [602]]]
        tavern.chat[0][1] += " " + tavern.ask("continue", CONTINUE).strip()
        tavern.chat[0][2] = [602, self.upstream.count]
        tavern.check()
        tavern.send()
        # A chat without a greeting, and one whose greeting the model writes.
        tavern.chat = []
        tavern.send()
        tavern.chat = []
        tavern.reply("regenerate")
        tavern.send()
        # Commands written into a greeting count, also with replies behind it.
        tavern.chat[0][1] += " " + block(603)
        tavern.chat[0][2] = [603]
        tavern.send()
        tavern.send()

    def test_greetings_of_a_card_begin_with_their_variables(self):
        data = {"name": "Mira", "description": "", "personality": "", "scenario": "", "mes_example": "",
                "first_mes": "You wake in a cell. " + INITVAR.replace('"last": ""', '"last": "cell"'),
                "alternate_greetings": ["You wake on a ship. " + INITVAR.replace('"last": ""', '"last": "ship"')]}
        card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data})
        boundary = "x"
        body = "".join(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'
                       for name, more, value in (("id", "", "card"), ("card", '; filename="mira.json"', card)))
        connection = self.served.connect()
        connection.request("POST", "/api/v1/campaigns", f"{body}--{boundary}--\r\n",
                           {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 201, answer.read())
        connection.close()
        tavern = Tavern(self, "/c/card")
        own = "You wake in the snow. " + INITVAR.replace('"last": ""', '"last": "snow"')
        for greeting, last in ((data["first_mes"], "cell"), (data["alternate_greetings"][0], "ship"), (own, "snow"),
                               (data["alternate_greetings"][0], "ship"), (data["first_mes"], "cell")):
            tavern.chat = [["assistant", greeting, []], ["user", "I look around.", []]]
            self.upstream.next_text = "You see " + last + ".\n<UpdateVariable>_.add('sum', 1);//why</UpdateVariable>"
            tavern.ask("normal")
            document = self.document("card")
            self.assertEqual((document["last"], document["sum"]), (last, 1))

    def test_a_moved_reply_keeps_what_its_parts_count_for(self):
        """A stopped and a foreign reply, each continued, behind a reply that is deleted afterwards."""
        tavern = Tavern(self)
        for foreign in (False, True):
            tavern.chat = []
            tavern.send()
            tavern.send()
            if foreign:
                tavern.chat += [["user", "long ago", []], ["assistant", "It was told before. " + block(701), [701]]]
            else:
                tavern.stop()
            more = tavern.ask("continue", CONTINUE)
            tavern.chat[-1][1] += " " + more.strip()
            tavern.chat[-1][2] = tavern.chat[-1][2] + [self.upstream.count]
            tavern.check()
            tavern.send()
            del tavern.chat[2:4]
            tavern.send()
            tavern.send()

    def test_unusual_messages(self):
        """Parts with images, empty messages, names, n above 1, and the first words of the player alone."""
        tavern = Tavern(self)
        tavern.chat = []
        tavern.send("First.", n=3)
        tavern.send("Second.")

        def ask(messages):
            connection, answer = tavern.request(messages, "normal")
            self.assertEqual(answer.status, 200, answer.read())
            answer.read()
            connection.close()
            tavern.chat.append(["assistant", Upstream.text_of(self.upstream.count), [self.upstream.count]])
            tavern.check()
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        tavern.chat.append(["user", "What is this?", []])
        messages = tavern.messages()
        messages[-1]["content"] = [{"type": "text", "text": "What is this?"}, image]
        messages[3]["content"] = [{"type": "text", "text": messages[3]["content"]}]
        ask(messages)
        tavern.chat.append(["user", "And now?", []])
        messages = [{**each, "name": "Rook"} if each["role"] == "user" else each for each in tavern.messages()]
        for at, role in ((6, "user"), (5, "assistant"), (4, "system")):
            messages.insert(at, {"role": role, "content": ""})
        ask(messages)
        tavern.send()

    def test_requests_at_the_same_time_are_siblings(self):
        tavern = Tavern(self)
        tavern.send()
        tavern.chat.append(["user", "all at once", []])
        messages, answers = tavern.messages(), []

        def one():
            connection, answer = tavern.request(messages, "normal", False)
            answers.append((answer.status, json.loads(answer.read())["choices"][0]["message"]["content"]))
            connection.close()
        threads = [threading.Thread(target=one) for _ in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual([status for status, _ in answers], [200] * 6)
        for n in range(2, 8):
            text = Upstream.text_of(n)
            self.assertIn(text, [each.strip() for _, each in answers])
            chat = tavern.chat + [["assistant", text, [n]], ["user", f"then {n}", []]]
            asking = Tavern(self)
            asking.chat = chat
            asking.reply("normal")

    def test_rewritten_and_deleted_replies(self):
        tavern = Tavern(self)
        for _ in range(4):
            tavern.send()
        tavern.swipe()
        tavern.chat[-1][1] = "Nothing of this was ever told before, not a word."
        tavern.send()
        tavern.chat[2:4] = []
        tavern.send()
        tavern.send()
        # An edited reply with commands of its own has these.
        tavern.chat[-1][1] += " " + block(700)
        tavern.chat[-1][2] = [700]
        tavern.send()

    def test_equal_texts_are_told_apart_by_hints(self):
        tavern = Tavern(self)
        tavern.chat.append(["user", "go", []])
        for n in (1, 2):
            self.upstream.next_text = f"Fine. {block(n)}"
            tavern.ask("normal")
        self.upstream.count = 2
        tavern.chat += [["assistant", "Fine.", [1]], ["user", "on", []]]
        text = tavern.ask("normal", arbiter={"swipe": 1})
        tavern.chat.append(["assistant", text, [self.upstream.count]])
        tavern.check()

    def test_a_guarded_reply_is_shown_when_it_has_passed(self):
        status, _, made = self.served.post("/api/v1/campaigns", {"id": "t", "table": "demo"})
        self.assertEqual(status, 201, made)
        tavern = Tavern(self, "/c/t")
        tavern.chat.append(["user", "I look around.", []])
        self.upstream.next_text = "Waves roll against the pier, and gulls cry."
        self.assertEqual(tavern.ask("normal"), "Waves roll against the pier, and gulls cry.")
        status, _, found = self.served.get(f"/api/v1/campaigns/t/turns/{tavern.turn}")
        self.assertEqual(status, 200, found)

    def test_guarded_replies_follow_the_chat(self):
        """Swipes, deletions, edits, branches, continuations and stops where nothing is shown before it passed:
        the state of the table follows the chat, and nobody sees a draft."""
        table = {"table": "demo", "profile": "mvu", "state": START}

        def create(campaign):
            status, _, made = self.served.post("/api/v1/campaigns", {"id": campaign, **table})
            self.assertEqual(status, 201, made)

        def state(campaign):
            document = self.served.get(f"/api/v1/campaigns/{campaign}/state")[2]["document"]
            return {key: document[key] for key in START} | {"characters": document["campaign"]["characters"]}

        def replayed(numbers):
            create("replay")
            for n in numbers:
                status, _, made = self.served.post("/api/v1/campaigns/replay/propose", {
                    "text": block(n) + call(n), "actor": "ai"})
                self.assertEqual(status, 200, made)
            made = state("replay")
            self.served.send("DELETE", "/api/v1/campaigns/replay")
            return made

        self.document, self.replayed = state, replayed
        self.upstream.commands = lambda n: block(n) + call(n)
        for hints in (False, True):
            create("t")
            tavern = Tavern(self, "/c/t", hints=hints)
            for refused in (0, 1, 2):
                self.upstream.refused = refused
                tavern.send()
            olds = []
            for refused in (1, 0, 2):
                self.upstream.refused = refused
                olds.append(tavern.swipe())
            # Refused to the end: the swipe is the notice, which has no commands. Then swiped back.
            kept = tavern.chat.pop()
            self.upstream.refused = 9
            tavern.chat.append(["assistant", tavern.ask("swipe"), []])
            self.upstream.refused = 0
            self.assertIn("campaign.characters.ali.name", tavern.chat[-1][1])
            tavern.check()
            tavern.send()
            tavern.chat[-3:] = [kept]
            tavern.send()
            # Edited a little, swiped back to an earlier one, deleted from the end and in between.
            tavern.chat[-1][1] = tavern.chat[-1][1].replace("2", "4", 1)
            tavern.send()
            tavern.chat[-5:] = [olds[1]]
            tavern.send()
            del tavern.chat[-2:]
            tavern.send()
            del tavern.chat[2:4]
            self.upstream.refused = 1
            tavern.send()
            tavern.swipe("regenerate")
            # Continued.
            more = tavern.ask("continue", CONTINUE)
            tavern.chat[-1][1] += more.strip()
            tavern.chat[-1][2].append(self.upstream.count)
            tavern.check()
            # A branch, and the first chat again.
            first = list(tavern.chat)
            tavern.chat = [list(each) for each in tavern.chat[:2]]
            tavern.send("Another way.")
            tavern.chat = first
            tavern.send()
            if not hints:
                self.stop_guarded(tavern)
                tavern.check()
                tavern.send()
            self.served.send("DELETE", "/api/v1/campaigns/t")

    def stop_guarded(self, tavern):
        """Waits until comments come, of which the client shows nothing, and hangs up."""
        self.upstream.mode = "hang"
        self.upstream.aborted.clear()
        tavern.chat.append(["user", "I wait.", []])
        connection, answer = tavern.request(tavern.messages(), "normal")
        data = ""
        while ": waiting" not in data:
            line = answer.readline().decode()
            self.assertNotEqual(line, "", data)
            data += line
        for line in data.split("\n"):
            if line.startswith("data: "):
                self.assertEqual(json.loads(line[6:])["choices"][0]["delta"].get("content"), "")
        connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()
        self.assertTrue(self.upstream.aborted.wait(3), "the upstream request was not aborted")
        self.upstream.mode = "plain"
        self.upstream.count -= 1
        tavern.chat.pop()

    def test_settings_stay_when_the_chat_moves(self):
        """A setting that a player changes is not part of the story: it stays, whatever the chat shows. A
        rollback of the player's own goes back to the settings of that time."""
        self.served.post("/api/v1/campaigns", {"id": "t", "table": "demo", "profile": "mvu", "state": START})
        for campaign in ("a", "t"):
            route = f"/api/v1/campaigns/{campaign}"

            def change(value):
                status, _, made = self.served.send("PATCH", route + "/settings", {"turn.max_retries": value})
                self.assertEqual(status, 200, made)

            def edits():
                return [each for each in self.served.get(route + "/history?all=true")[2]["turns"]
                        if each.get("edit") == "settings"]

            def value():
                return self.served.get(route + "/settings")[2]["settings"]["turn.max_retries"]

            self.document = lambda name: {
                key: self.served.get(f"/api/v1/campaigns/{name}/state")[2]["document"][key] for key in START}
            self.replays = {}
            tavern = Tavern(self, f"/c/{campaign}")
            for _ in range(3):
                tavern.send()
            self.assertEqual(edits(), [])
            old = tavern.swipe()
            self.assertEqual(edits(), [])
            change(1)
            tavern.swipe()
            self.assertEqual((value(), len(edits())), (1, 2))
            tavern.swipe()
            self.assertEqual((value(), len(edits())), (1, 2))
            # Back to a reply from before the change, which is where the story goes on.
            tavern.chat[-1] = old
            tavern.send()
            self.assertEqual(value(), 1)
            change(0)
            del tavern.chat[-4:]
            tavern.send()
            self.assertEqual(value(), 0)
            tavern.chat[2:4] = []
            tavern.send()
            self.assertEqual(value(), 0)
            first = next(each["id"] for each in self.served.get(route + "/history")[2]["turns"]
                         if each["number"] == 1 and "edit" not in each)
            status, _, made = self.served.post(route + "/rollback", {"to": first})
            self.assertEqual(status, 200, made)
            self.assertNotIn(value(), (0, 1))

    def test_foreign_history_is_replayed_once(self):
        tavern = Tavern(self)
        tavern.chat = [["assistant", "Hi.", []], ["user", "one", []],
                       ["assistant", "Ouch. " + block(501), [501]],
                       ["user", "two", []],
                       ["assistant", "Again. " + block(502), [502]],
                       ["user", "three", []],
                       ["assistant", "And again. " + block(503), [503]]]
        tavern.send()
        tavern.send()
        turns = self.served.get("/api/v1/campaigns/a/history")[2]["turns"]
        self.assertEqual(sum(each["said"] == "one" for each in turns), 1)
        # Behind a deleted one, a foreign reply counts once as well.
        del tavern.chat[3:5]
        tavern.send()
        tavern.send()

    def test_errors_keep_their_class_and_change_nothing(self):
        tavern = Tavern(self)
        tavern.send()
        self.upstream.mode = "limited"
        tavern.chat.append(["user", "more", []])
        for stream in (True, False):
            connection, answer = tavern.request(tavern.messages(), "normal", stream)
            self.assertEqual(answer.status, 429)
            self.assertIn("...: slow down", answer.reason)
            self.assertIn("slow down", json.loads(answer.read())["error"]["message"])
            connection.close()
        tavern.check()
        # A swipe that fails leaves the reply that it was to replace.
        tavern.chat.pop()
        old = tavern.chat.pop()
        for stream in (True, False):
            connection, answer = tavern.request(tavern.messages(), "swipe", stream)
            self.assertEqual(answer.status, 429)
            answer.read()
            connection.close()
        tavern.chat.append(old)
        tavern.check()
        tavern.chat.append(["user", "more", []])
        # A stream that breaks off ends with an error chunk; its text is known afterwards.
        self.upstream.mode = "broken"
        connection, answer = tavern.request(tavern.messages(), "normal")
        data = answer.read().decode()
        connection.close()
        self.assertEqual(answer.status, 200)
        self.assertIn('data: {"error":', data)
        tavern.check()
        self.upstream.mode = "plain"
        text = "".join(json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
                       for line in data.split("\n") if line.startswith('data: {"id"'))
        tavern.chat.append(["assistant", text, []])
        tavern.send()
        for path, body in (("/v1", "{"), ("/v1", "{}"), ("/c/none", '{"messages": [{"role": "user"}]}')):
            connection = self.served.connect()
            connection.request("POST", path + "/chat/completions", body)
            answer = connection.getresponse()
            self.assertIn(answer.status, (400, 404))
            self.assertIn("type", json.loads(answer.read())["error"])
            connection.close()

    def test_blocks_never_reach_the_client_however_they_are_cut(self):
        tavern = Tavern(self)
        for size in (1, 2, 3, 5, 11, 400):
            self.upstream.size = size
            tavern.send()
            self.assertEqual(tavern.chat[-1][1], Upstream.text_of(self.upstream.count))

    def test_blocks_of_every_dialect_never_reach_the_client_at_any_cut(self):
        """What is sent for a reply cut in two at any place, and in single characters, is what is sent for the
        whole reply."""
        status, _, made = self.served.post("/api/v1/campaigns", {"id": "d", "profile": "auto", "state": {
            "stat_data": {"hp": 5, "n": [1]}, "play_character_data": {"hp": 5}, "assa_data": {}}})
        self.assertEqual(status, 201, made)
        replies = {
            "_.": "Waves <b>roll</b>.\n<UpdateVariable><Analysis>hp: Y</Analysis>_.set('hp', 4);//why</UpdateVariable> End.",
            "JSONPatch": '浪来了。<JSONPatch>[{"op":"replace","path":"/hp","value":3}]</JSONPatch> 完。',
            "action": 'One.\n```json\n[{"action":"set","key":"character.saveData.a","value":1}]\n```\nTwo.',
            "set_status": "Rain.\n<updateMemory>\nset_status('hp', 2); // why\n</updateMemory>\nSun.",
            "think": "<think>Let me _.set('hp', 1); plan</think>A door. _.set('hp', 1);//why\nIt opens.",
        }
        tavern = Tavern(self, "/c/d", blocks=True)  # the texts are compared below
        for word, text in replies.items():
            shown = set()
            for cut in [None, *range(1, len(text))]:
                self.upstream.cut, self.upstream.size = cut, 1
                self.upstream.next_text = text
                tavern.chat = [["user", "go", []]]
                shown.add(tavern.ask("swipe"))
            self.assertEqual(len(shown), 1, shown)
            for hidden in (word, "hp", "value", "why", "json", "Analysis", "plan"):
                self.assertNotIn(hidden, shown.copy().pop())
        self.upstream.cut = None

    def test_what_is_injected_is_a_setting(self):
        sent = {}
        for word in ("full", "state", "off"):
            status, _, made = self.served.post("/api/v1/campaigns", {
                "id": word, "profile": "mvu", "state": START, "settings": {"chat.inject": word}})
            self.assertEqual(status, 201, made)
            tavern = Tavern(self, f"/c/{word}")
            tavern.chat.append(["user", "And now?", []])
            tavern.ask("normal")
            sent[word] = self.upstream.requests[-1][2]["messages"]
            # A request may ask for something else.
            tavern.ask("normal", arbiter={"inject": "full"})
            self.assertEqual(self.upstream.requests[-1][2]["messages"], sent["full"])
        self.assertIn("_.set(", json.dumps(sent["full"]))
        self.assertNotIn("_.set(", json.dumps(sent["state"]))
        self.assertEqual((sent["state"][:2], sent["state"][-1]), (tavern.messages()[:2], tavern.messages()[-1]))
        self.assertIn("log", sent["state"][-2]["content"])
        self.assertEqual(sent["off"], tavern.messages())

    def test_the_model_gets_the_chat_with_ours_in_between(self):
        tavern = Tavern(self)
        tavern.send()
        tavern.chat.append(["user", "And now?", []])
        tavern.ask("normal", custom_field={"x": 1}, seed=7)
        _, headers, body = self.upstream.requests[-1]
        roles = [each["role"] for each in body["messages"]]
        self.assertEqual(body["messages"][:2], tavern.messages()[:2])
        self.assertEqual((body["custom_field"], body["seed"], body["model"]), ({"x": 1}, 7, "mock"))
        self.assertEqual(body["messages"][-1]["content"], "And now?")
        self.assertEqual(roles[-2], "system")
        self.assertIn("log", body["messages"][-2]["content"])
        self.assertGreater(roles.index("user"), 2, "nothing is taught behind the system messages")
        # Every message that is not ours is the client's.
        self.assertEqual([each for each in body["messages"] if each["role"] != "system"],
                         [each for each in tavern.messages() if each["role"] != "system"])
        tavern.ask("normal", arbiter={"inject": "off"})
        self.assertEqual(self.upstream.requests[-1][2]["messages"], tavern.messages())

    def test_calls_of_the_clients_tools_are_replies(self):
        """A call may come without words. SillyTavern sends a reply's words and its calls apart."""
        tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
        for words, is_apart in (("", False), ("I look.", False), ("I look.", True)):
            tavern = Tavern(self)
            tavern.chat.append(["user", f"weather {words} {is_apart}?", []])
            self.upstream.mode, self.upstream.count = "tools", self.upstream.count + 1
            first = self.upstream.count
            self.upstream.next_text = words + block(first)
            self.assertEqual(tavern.ask("normal", tools=tools), words)
            self.upstream.mode = "plain"
            calls = {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {
                "name": "weather", "arguments": "{}"}}]}
            messages = tavern.messages()
            messages += [{"role": "assistant", "content": words}, calls] if is_apart else [{**calls, "content": words}]
            messages.append({"role": "tool", "tool_call_id": "c1", "content": "rain"})
            for _ in range(2):  # and a swipe of it
                connection, answer = tavern.request(messages, "normal")
                self.assertEqual(answer.status, 200)
                answer.read()
                connection.close()
                document = self.document("a")
                self.assertEqual(document, self.replayed([first, self.upstream.count]))

    def test_keys_tools_usage_and_models(self):
        tavern = Tavern(self)
        self.upstream.mode = "tools"
        body = {"messages": [{"role": "user", "content": "weather?"}], "model": "campaign:a", "stream": True,
                "stream_options": {"include_usage": True},
                "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]}
        status, headers, data = self.served.post("/v1/chat/completions", body,
                                                 headers={"Authorization": "Bearer secret-1"})
        self.assertEqual((status, headers["x-arbiter-campaign"]), (200, "a"))
        chunks = [json.loads(line[6:]) for line in data.decode().split("\n") if line.startswith("data: {")]
        calls = [c for each in chunks for choice in each["choices"]
                 for c in choice["delta"].get("tool_calls", [])]
        self.assertEqual(calls[0]["function"]["name"], "weather")
        self.assertEqual([choice["finish_reason"] for each in chunks for choice in each["choices"]][-1], "tool_calls")
        self.assertEqual(chunks[-1]["usage"]["total_tokens"], 16)
        self.assertEqual(self.upstream.requests[-1][1]["Authorization"], "Bearer secret-1")
        self.assertNotIn("campaign:", json.dumps(self.upstream.requests[-1][2]["model"]))
        turn = headers["x-arbiter-turn"]
        status, _, found = self.served.get(f"/api/v1/campaigns/a/turns/{turn}")
        self.assertEqual((status, found["said"] if "said" in found else "weather?"), (200, "weather?"))
        for path in ("/v1/models", "/models", "/c/a/v1/models", "/c/a/models"):
            status, _, models = self.served.get(path)
            self.assertEqual((status, models["object"]), (200, "list"))
            self.assertIn("campaign:a", [each["id"] for each in models["data"]])
        status, _, passed = self.served.post("/v1/completions", {"prompt": "abc"})
        self.assertEqual((status, passed["choices"][0]["text"]), (200, "raw abc"))
        # The name of a campaign means nothing to a model server.
        status, _, passed = self.served.post("/v1/completions", {"prompt": "abc", "model": "campaign:a", "x": [1]})
        self.assertEqual((status, self.upstream.requests[-1][2]),
                         (200, {"prompt": "abc", "model": "mock", "x": [1]}))


if __name__ == "__main__":
    unittest.main()
