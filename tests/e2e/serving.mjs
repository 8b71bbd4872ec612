// A running `arbiter serve` and a scripted model server, for tests in JavaScript.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";

// `arbiter serve` on a free port of the loopback, with a store in `folder`.
export class Arbiter {
    static async start(program, folder, ...words) {
        const made = new Arbiter();
        Object.assign(made, { program, folder, words, listen: "127.0.0.1:0" });
        await made.restart();
        return made;
    }

    // Starts it again, after stop(), at the same address.
    async restart() {
        const words = ["serve", "--listen", this.listen, "--store", "sqlite:store.db", ...this.words];
        this.process = spawn(this.program, words, { cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
        this.log = "";
        this.process.stderr.on("data", (piece) => (this.log += piece));
        let said = "";
        for await (const piece of this.process.stdout.iterator({ destroyOnReturn: false })) {
            said += piece;
            const found = /listening on (http:\S+)/.exec(said);
            if (found) {
                this.url = found[1];
                this.listen = new URL(found[1]).host;
                this.process.stdout.resume();
                return;
            }
        }
        throw new Error(`the server ended: ${said}${this.log}`);
    }

    async stop() {
        const ended = once(this.process, "exit");
        this.process.kill("SIGTERM");
        await ended;
    }

    // The answer of a route of ours; an error throws.
    async call(method, route, json) {
        const response = await fetch(this.url + route, {
            method,
            headers: json === undefined ? {} : { "Content-Type": "application/json" },
            body: json === undefined ? undefined : JSON.stringify(json),
        });
        const text = await response.text();
        if (!response.ok) {
            throw new Error(`${method} ${route}: ${response.status} ${text}`);
        }
        return text ? JSON.parse(text) : undefined;
    }

    async state(campaign, path) {
        return (await this.call("GET", `/api/v1/campaigns/${campaign}/state?path=${encodeURIComponent(path)}`)).value;
    }
}

// A model server. `script(body, request)` makes each answer:
//   {text, size?, pause?, calls?, finish?}      a reply; of a stream in pieces of `size`, with a `pause` (ms) between them
//   {status, error, headers?}                   a refusal
//   {text, hang: true}                          the text, then nothing more until the client hangs up
//   {text, broken: true}                        the text, then an end without a last chunk
export class Upstream {
    static async start(script) {
        const made = new Upstream();
        made.script = script;
        made.requests = []; // {path, headers, body}
        made.aborted = 0; // answers that the client did not wait for
        made.server = createServer(async (request, response) => {
            let text = "";
            for await (const piece of request) {
                text += piece;
            }
            const body = text ? JSON.parse(text) : {};
            made.requests.push({ path: request.url, headers: request.headers, body });
            response.on("close", () => (made.aborted += response.writableFinished ? 0 : 1));
            await made.answer(response, body, made.script(body, request));
        });
        made.server.listen(0, "127.0.0.1");
        await once(made.server, "listening");
        made.url = `http://127.0.0.1:${made.server.address().port}/v1`;
        return made;
    }

    stop() {
        this.server.closeAllConnections();
        this.server.close();
    }

    async answer(response, body, reply) {
        const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
        const calls = reply.calls?.map((each, index) => ({
            index,
            id: `call_${index}`,
            type: "function",
            function: { name: each.name, arguments: JSON.stringify(each.arguments) },
        }));
        const finish = reply.finish ?? (calls ? "tool_calls" : "stop");
        if (reply.status) {
            response.writeHead(reply.status, { "Content-Type": "application/json", ...reply.headers });
            response.end(JSON.stringify({ error: { message: reply.error, type: "mock" } }));
            return;
        }
        if (!body.stream) {
            response.writeHead(200, { "Content-Type": "application/json" });
            const message = { role: "assistant", content: reply.text, ...(calls ? { tool_calls: calls } : {}) };
            response.end(JSON.stringify({ model: "mock", choices: [{ index: 0, message, finish_reason: finish }], usage }));
            return;
        }
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        const send = (delta, finish_reason = null) =>
            response.write(`data: ${JSON.stringify({ model: "mock", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
        const size = reply.size ?? 7;
        for (let at = 0; at < reply.text.length; at += size) {
            send({ content: reply.text.slice(at, at + size) });
            if (reply.pause) {
                await new Promise((resolve) => setTimeout(resolve, reply.pause));
            }
        }
        if (reply.hang) {
            return;
        }
        if (reply.broken) {
            response.end();
            return;
        }
        for (const { index, id, type, function: { name, arguments: words } } of calls ?? []) {
            send({ tool_calls: [{ index, id, type, function: { name, arguments: "" } }] });
            for (let at = 0; at < words.length; at += size) {
                send({ tool_calls: [{ index, function: { arguments: words.slice(at, at + size) } }] });
            }
        }
        send({}, finish);
        response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
        response.end("data: [DONE]\n\n");
    }
}
