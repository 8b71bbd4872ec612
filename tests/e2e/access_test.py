"""Goal: strangers cannot use `arbiter serve`: hosts and pages of others, missing, wrong, expired and
revoked tokens, scopes, grants and floods are refused on every route; nothing secret is logged.
Method: starts the binary on free ports and sends it the request shapes of published attacks.
Usage: access_test.py PATH_OF_ARBITER
"""

import http.client
import json
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

from serving import Served, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
SCRIPT = "default: {say: '风声。CANARY-REPLY'}\n"
# Routes that tell nothing about campaigns, and the files of the page.
OPEN = {"/healthz", "/api/v1/openapi.json", "/", "/assets/{file}"}


class AccessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write(self.folder, "script.yaml", SCRIPT)

    def serve(self, *words, **more):
        served = Served(ARBITER, self.folder, "--script", "script.yaml", *words, **more)
        self.addCleanup(served.stop)
        return served

    def run_in(self, *words):
        return subprocess.run([ARBITER, *words], cwd=self.folder, capture_output=True, check=False,
                              timeout=60)

    def token(self, name, *words):
        made = self.run_in("token", "new", name, "--store", "sqlite:x.db", *words)
        self.assertEqual(made.returncode, 0, made.stderr)
        return {"Authorization": "Bearer " + made.stdout.decode().strip()}

    def new(self, served, name="a", headers=None):
        status, _, made = served.post("/api/v1/campaigns", {
            "id": name, "profile": "mvu", "state": {"金币": 5}}, headers=headers)
        self.assertEqual(status, 201, made)

    def wait_for(self, status, served, headers):
        """Until a request gets this status: changes of tokens count within seconds."""
        until = time.monotonic() + 10
        while True:
            got, _, body = served.get("/api/v1/campaigns", headers=headers)
            if got == status:
                return body
            self.assertLess(time.monotonic(), until, (got, body))
            time.sleep(0.05)

    def refused(self, served, code, method="GET", path="/api/v1/campaigns", **headers):
        status, _, body = served.send(method, path, headers={
            key.replace("_", "-"): value for key, value in headers.items()})
        self.assertEqual((status, body["error"]["code"]), (
            401 if code.startswith("token") else 403, code), headers)
        self.assertTrue(body["error"]["message"] and body["error"]["message_zh"])

    def test_hosts_and_pages_of_others(self):
        served = self.serve()
        own = f"127.0.0.1:{served.port}"
        self.assertEqual(served.get("/api/v1/campaigns")[0], 200)
        self.assertEqual(served.get("/api/v1/campaigns", headers={"Host": "localhost"})[0], 200)
        for host in ("evil.example", f"evil.example:{served.port}", "localhost.evil.example",
                     "127.0.0.1.nip.io", "localhost.", "127.1", "2130706433", "0.0.0.0",
                     "169.254.169.254", "192.168.0.1"):
            self.refused(served, "host_refused", Host=host)
            self.refused(served, "host_refused", "POST", Host=host)
            self.refused(served, "host_refused", path="/healthz", Host=host)
        for origin in ("http://evil.example", "null", "https://" + own, "http://localhost:1",
                       f"http://{own}.evil.example", f"http://localhost:{served.port}"):
            for method in ("GET", "POST", "DELETE"):
                self.refused(served, "origin_refused", method, Origin=origin)
        self.refused(served, "origin_refused", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")
        self.refused(served, "token_missing", X_Forwarded_For="127.0.0.1")
        status, headers, _ = served.get("/api/v1/campaigns", headers={"Origin": "http://" + own})
        self.assertEqual(status, 200)
        self.assertNotIn("access-control-allow-origin", headers)
        self.assertEqual(headers["x-content-type-options"], "nosniff")

    def test_other_origins_are_configured(self):
        served = self.serve("--allow-origin", "https://app.example", "--allow-host", "play.example")
        page = {"Origin": "https://app.example"}
        status, headers, _ = served.get("/api/v1/campaigns", headers=page)
        self.assertEqual((status, headers["access-control-allow-origin"]),
                         (200, "https://app.example"))
        status, headers, _ = served.send("OPTIONS", "/api/v1/campaigns", headers={
            **page, "Access-Control-Request-Method": "POST"})
        self.assertEqual(status, 204)
        self.assertIn("POST", headers["access-control-allow-methods"])
        self.assertNotIn("access-control-allow-credentials", headers)
        self.refused(served, "origin_refused", "OPTIONS", Origin="https://evil.example",
                     Access_Control_Request_Method="POST")
        # The name is allowed, but what comes in by it is not local.
        self.refused(served, "token_missing", Host="play.example")

    def test_other_addresses_need_a_token(self):
        refused = self.run_in("serve", "--listen", "0.0.0.0:0", "--store", "sqlite:x.db")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"arbiter token new", refused.stderr)
        headers = self.token("a")
        served = self.serve("--listen", "0.0.0.0:0")
        self.assertEqual(served.get("/api/v1/campaigns", headers=headers)[0], 200)
        self.refused(served, "token_missing")

    def test_tokens_of_two_running_servers(self):
        first = self.serve()
        self.new(first)
        second = self.serve()
        self.assertEqual(second.get("/api/v1/campaigns")[0], 200)
        mine = self.token("mine", "--scope", "admin")
        short = self.token("short", "--expires", "1s")
        for served in (first, second):
            self.wait_for(401, served, {})
            self.assertEqual(len(self.wait_for(200, served, mine)["campaigns"]), 1)
            self.refused(served, "token_refused", Authorization="Bearer arb_" + "0" * 64)
            self.refused(served, "token_refused", Authorization=mine["Authorization"] + "0")
            self.refused(served, "token_missing", Cookie="token=" + mine["Authorization"][7:])
            self.refused(served, "token_missing",
                         path="/api/v1/campaigns?token=" + mine["Authorization"][7:])
            self.assertEqual(served.get("/healthz")[0], 200)
        self.wait_for(401, first, short)
        self.assertEqual(self.run_in("token", "revoke", "mine", "--store", "sqlite:x.db").returncode, 0)
        for served in (first, second):
            self.wait_for(401, served, mine)
            # No token is left that works, and still none may enter without one.
            self.refused(served, "token_missing")

    # Every route of the document, without a token and with one that must not know the campaign.
    def test_every_route_is_closed(self):
        headers = self.token("admin", "--scope", "admin")
        served = self.serve()
        for name in ("a", "b"):
            self.new(served, name, headers)
        other = self.token("other", "--scope", "admin", "--campaign", "b")
        reader = self.token("reader", "--scope", "read")
        self.wait_for(200, served, other)
        self.wait_for(200, served, reader)
        document = served.get("/api/v1/openapi.json")[2]
        asked = 0
        for pattern, methods in document["paths"].items():
            for method, about in ((each.upper(), methods[each]) for each in methods):
                path = pattern.replace("{id}", "a")
                path = re.sub(r"\{[a-z]+\}", "x", path)
                body = {} if method in ("POST", "PUT", "PATCH") else None
                status, _, answer = served.send(method, path, body)
                self.assertEqual(about["x-scope"] == "none", pattern in OPEN, pattern)
                if pattern in OPEN:
                    self.assertEqual(method, "GET", pattern)
                    self.assertNotIn(status, (401, 403), pattern)
                    continue
                asked += 1
                self.assertEqual(status, 401, pattern)
                if pattern.startswith("/api/"):
                    self.assertEqual(answer["error"]["code"], "token_missing", pattern)
                if "{id}" not in pattern:
                    continue
                hidden = served.send(method, path, body, headers=other)
                nowhere = re.sub(r"\{[a-z]+\}", "x", pattern.replace("{id}", "nowhere"))
                missing = served.send(method, nowhere, body, headers=other)
                self.assertEqual(hidden[0], 404, pattern)
                self.assertEqual(
                    json.dumps(hidden[2]).replace(" a", " nowhere").replace("\"a\"", "\"nowhere\""),
                    json.dumps(missing[2]).replace("\"a\"", "\"nowhere\""), pattern)
                if about["x-scope"] != "read":
                    status, _, answer = served.send(method, path, body, headers=reader)
                    self.assertEqual((status, answer["error"]["code"]), (403, "scope_missing"),
                                     pattern)
        self.assertGreater(asked, 20)
        self.assertEqual([each["id"] for each in served.get(
            "/api/v1/campaigns", headers=other)[2]["campaigns"]], ["b"])
        status, _, answer = served.post("/api/v1/campaigns", {"id": "c"}, headers=other)
        self.assertEqual((status, answer["error"]["code"]), (403, "scope_missing"))

    # proves S12: words, keys and tokens are planted everywhere; the log and the metrics have none.
    def test_nothing_secret_is_logged(self):
        headers = self.token("phone", "--scope", "admin")
        served = self.serve(env={"CANARY_KEY": "CANARY-KEY"})
        self.new(served, headers=headers)
        planted = {**headers, "X-Api-Key": "CANARY-HEADER", "Cookie": "CANARY-COOKIE",
                   "User-Agent": "CANARY-AGENT", "Referer": f"http://127.0.0.1:{served.port}/CANARY"}
        status, answered, turn = served.post("/api/v1/campaigns/a/turns", {"said": "CANARY-SAID"},
                                             headers=planted)
        self.assertEqual((status, turn["status"]), (200, "committed"), turn)
        served.get("/api/v1/campaigns/a/prompt?said=CANARY-QUERY", headers=planted)
        served.get("/api/v1/campaigns/a/state?path=/CANARY-PATH", headers=planted)
        served.get("/CANARY-ROUTE", headers=planted)
        served.get("/api/v1/campaigns", headers={"Authorization": "Bearer CANARY-TOKEN"})
        served.get("/api/v1/campaigns", headers={"Host": "CANARY-HOST"})
        served.post("/api/v1/campaigns/a/propose", "{CANARY-BODY", headers={
            **planted, "Content-Type": "application/json"})
        served.post("/api/v1/campaigns/a/propose", {"CANARY_FIELD": 1}, headers=planted)
        metrics = served.get("/metrics", headers=headers)[2].decode()
        self.assertEqual(served.stop(), 0)
        log = "".join(served.log)
        for text in (log, metrics):
            self.assertNotIn("CANARY", text.upper())
            self.assertNotIn(headers["Authorization"][11:], text)
            self.assertNotIn("风声", text)
        lines = [json.loads(line) for line in served.log]
        asked = next(line for line in lines if line.get("route", "").endswith("/turns"))
        self.assertEqual((asked["token"], asked["campaign"], asked["status"], asked["method"]),
                         ("phone", "a", 200, "POST"))
        self.assertEqual(asked["request"], answered["x-request-id"])
        told = next(line for line in lines if line["event"] == "turn")
        self.assertEqual((told["status"], told["calls"], told["request"], told["turn"]),
                         ("committed", 1, asked["request"], turn["turn"]))
        self.assertTrue(any(line.get("code") == "token_refused" for line in lines))
        self.assertTrue(any(line.get("code") == "host_refused" for line in lines))
        self.assertRegex(metrics, r'(?m)^arbiter_turns_total\{status="committed"\} 1$')
        self.assertRegex(metrics, r'(?m)^arbiter_http_requests_total\{route="/api/v1/campaigns/'
                                  r'\{id\}/turns",method="POST",status="200"\} 1$')
        self.assertRegex(metrics, r'(?m)^arbiter_http_refused_total\{code="host_refused"\} 1$')
        self.assertRegex(metrics, r'(?m)^arbiter_model_calls_total\{outcome="ok"\} 1$')
        self.assertRegex(metrics, r'(?m)^arbiter_commits_total\{outcome="ok"\} [1-9]')

    # An admin over HTTP does not get at the environment of the server by sending it elsewhere.
    def test_variables_are_sent_to_no_other_server(self):
        write(self.folder, "up.yaml", "url: http://127.0.0.1:9\nmodel: m\nkey_env: MODEL_KEY\n")
        served = Served(ARBITER, self.folder, "--upstream-file", "up.yaml",
                        env={"MODEL_KEY": "CANARY-ONE", "OTHER_KEY": "CANARY-TWO"})
        self.addCleanup(served.stop)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(0.2)
            port = listener.getsockname()[1]
            for path, method in (("/api/v1/upstream/check", "POST"), ("/api/v1/upstream", "PUT")):
                for variable in ("MODEL_KEY", "OTHER_KEY", "HOME"):
                    status, _, body = served.send(method, path, {
                        "url": f"http://127.0.0.1:{port}", "model": "m", "api_key_env": variable})
                    self.assertEqual((status, body["error"]["code"]), (400, "bad_parameter"), body)
            with self.assertRaises(TimeoutError):
                listener.accept()
        # The same server may be tested with its key.
        status, _, report = served.post("/api/v1/upstream/check", {
            "url": "http://127.0.0.1:9", "model": "m", "api_key_env": "MODEL_KEY"})
        self.assertEqual(status, 200, report)
        told = json.dumps([report, served.get("/api/v1/upstream")[2]])
        self.assertIn("has_key", told)
        served.stop()
        for text in (told, "".join(served.log)):
            self.assertNotIn("CANARY", text)

    # The settings of all campaigns are stored like a campaign, but are none.
    def test_the_library_is_not_a_campaign(self):
        made = self.run_in("settings", "set", "--global", "context.full_context_enabled", "false",
                           "--store", "sqlite:x.db")
        self.assertEqual(made.returncode, 0, made.stderr)
        served = self.serve()
        for method, path, body in (("GET", "", None), ("GET", "/state", None), ("GET", "/events", None),
                                   ("GET", "/history", None), ("GET", "/export", None),
                                   ("POST", "/turns", {"said": "x"}), ("POST", "/undo", {}),
                                   ("DELETE", "", None)):
            status, _, answer = served.send(method, "/api/v1/campaigns/library" + path, body)
            self.assertEqual((status, answer["error"]["code"]), (404, "campaign_unknown"), path)
        self.assertEqual(served.get("/api/v1/campaigns")[2]["campaigns"], [])

    def test_floods_are_refused_and_recover(self):
        write(self.folder, "serve.yaml",
              "limits: {requests_per_token: {per_second: 1, burst: 5}}\n")
        headers = self.token("a", "--scope", "play")
        other = self.token("b")
        served = self.serve("--config", "serve.yaml")
        # A busy machine may need some more than the burst before it is faster than the rate.
        for sent in range(500):
            status, told, body = served.get("/api/v1/campaigns", headers=headers)
            if status != 200:
                break
        self.assertGreaterEqual(sent, 5)
        self.assertEqual((status, body["error"]["code"]), (429, "rate_limited"))
        self.assertGreaterEqual(int(told["retry-after"]), 1)
        self.assertEqual(served.get("/api/v1/campaigns", headers=other)[0], 200)
        self.wait_for(200, served, headers)

    def test_streams_of_a_token_are_counted(self):
        write(self.folder, "serve.yaml", "limits: {streams_per_token: 2}\n")
        headers = self.token("a", "--scope", "play")
        served = self.serve("--config", "serve.yaml")
        self.new(served, headers=headers)
        viewers = []
        for expected in (200, 200, 429):
            connection = served.connect()
            connection.request("GET", "/api/v1/campaigns/a/events", headers=headers)
            answer = connection.getresponse()
            self.assertEqual(answer.status, expected)
            viewers.append((connection, answer))
        for connection, answer in viewers:
            answer.close()
            connection.close()
        until = time.monotonic() + 10
        while True:
            connection = served.connect()
            connection.request("GET", "/api/v1/campaigns/a/events", headers=headers)
            status = connection.getresponse().status
            connection.close()
            if status == 200:
                break
            self.assertLess(time.monotonic(), until)

    def test_mistakes_in_the_file_are_named(self):
        write(self.folder, "serve.yaml", "listen: 127.0.0.1:0\nupstream:\n  url: http://x\n"
                                         "  api_key: CANARY\nalow_hosts: [x]\n")
        failed = self.run_in("serve", "--config", "serve.yaml")
        self.assertEqual((failed.returncode, failed.stdout), (2, b""))
        for wanted in (b"serve.yaml:4:", b"api_key", b"serve.yaml:5:", b"allow_hosts"):
            self.assertIn(wanted, failed.stderr)
        self.assertNotIn(b"CANARY", failed.stderr)

    @unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
    def test_tls(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
                        "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem"],
                       cwd=self.folder, check=True, capture_output=True)
        served = self.serve("--tls-certificate", "cert.pem", "--tls-key", "key.pem")
        trusting = ssl.create_default_context()
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        own = f"127.0.0.1:{served.port}"
        for origin, wanted in (("https://" + own, 200), ("http://" + own, 403)):
            connection = http.client.HTTPSConnection("127.0.0.1", served.port, context=trusting,
                                                     timeout=30)
            connection.request("GET", "/api/v1/campaigns", headers={"Origin": origin})
            self.assertEqual(connection.getresponse().status, wanted)
            connection.close()
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            served.get("/api/v1/campaigns")


if __name__ == "__main__":
    unittest.main()
