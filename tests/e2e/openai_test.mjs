// Goal: the official client of OpenAI's interface works with our chat completions as it does with the
// original: replies streamed and whole, tools of the client passed through, tools of the engine resolved
// inside, errors of the classes that the client knows, and an abort that leaves the state alone.
// Method: the npm package `openai`, unchanged, against the binary with a scripted model server.
// Usage: node openai_test.mjs ARBITER
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import OpenAI from "openai";
import { Arbiter, Upstream } from "./serving.mjs";

const program = path.resolve(process.argv[2]);
const folder = mkdtempSync(path.join(tmpdir(), "arbiter-openai-"));
const block = (n) => `<UpdateVariable>_.insert('log', ${n});//why</UpdateVariable>`;
const weather = {
    type: "function",
    function: { name: "weather", description: "tells the weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};

let reply = () => ({ text: "Hello." });
const upstream = await Upstream.start((body) => reply(body));
const arbiter = await Arbiter.start(program, folder, "--upstream", upstream.url, "--model", "mock");
const client = (route = "/v1", more = {}) => new OpenAI({ baseURL: arbiter.url + route, apiKey: "sk-of-the-user", maxRetries: 0, ...more });
after(async () => {
    await arbiter.stop();
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
});

async function campaign(id, more = { profile: "mvu", state: { log: [] } }) {
    await arbiter.call("POST", "/api/v1/campaigns", { id, ...more });
    return client(`/c/${id}/v1`);
}
const log = (id) => arbiter.state(id, "/log");
const user = (content) => ({ role: "user", content });

async function until(condition, what) {
    for (let i = 0; i < 300; ++i) {
        if (await condition()) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail(`${what}, still not so after 3 s`);
}

test("whole replies: text without blocks, usage, the turn in a header", async () => {
    const openai = await campaign("whole");
    reply = () => ({ text: `The gate opens. ${block(1)}` });
    const { data, response } = await openai.chat.completions.create({ model: "any", messages: [user("I knock.")] }).withResponse();
    assert.equal(data.object, "chat.completion");
    assert.equal(data.choices[0].message.content.trim(), "The gate opens.");
    assert.deepEqual([data.choices[0].message.role, data.choices[0].finish_reason], ["assistant", "stop"]);
    assert.deepEqual(data.usage, { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 });
    assert.equal(response.headers.get("x-arbiter-campaign"), "whole");
    assert.deepEqual(await log("whole"), [1]);
    const turn = await arbiter.call("GET", `/api/v1/campaigns/whole/turns/${response.headers.get("x-arbiter-turn")}`);
    assert.ok(turn);
    // The key of the client is that of the model server as long as we have none.
    assert.equal(upstream.requests.at(-1).headers.authorization, "Bearer sk-of-the-user");
    reply = () => ({ text: "A long st", finish: "length" });
    const cut = await openai.chat.completions.create({ model: "any", messages: [user("I wait.")] });
    assert.equal(cut.choices[0].finish_reason, "length");
});

test("streams: chunks of the right form, in the order of the interface, with and without usage", async () => {
    const openai = await campaign("stream");
    for (const [n, include_usage] of [[1, true], [2, false]]) {
        reply = () => ({ text: `Rain falls ${n}. ${block(n)}The end.`, size: n });
        const stream = await openai.chat.completions.create({
            model: "any",
            messages: [user(`I look ${n}.`)],
            stream: true,
            ...(include_usage ? { stream_options: { include_usage } } : {}),
        });
        const chunks = [];
        for await (const chunk of stream) {
            chunks.push(chunk);
        }
        assert.ok(chunks.every((each) => each.object === "chat.completion.chunk" && each.id === chunks[0].id && Number.isInteger(each.created)));
        // A client takes these words at the top for an error.
        assert.ok(chunks.every((each) => !("error" in each || "message" in each || "detail" in each)));
        assert.deepEqual(chunks[0].choices[0].delta, { role: "assistant", content: "" });
        const told = chunks.filter((each) => each.choices.length > 0);
        const text = told.map((each) => each.choices[0].delta.content ?? "").join("");
        assert.equal(text.replaceAll(/\s+/g, " "), `Rain falls ${n}. The end.`);
        assert.equal(told.at(-1).choices[0].finish_reason, "stop");
        assert.ok(told.slice(0, -1).every((each) => each.choices[0].finish_reason === null));
        if (include_usage) {
            assert.deepEqual([chunks.at(-1).choices, chunks.at(-1).usage.total_tokens], [[], 16]);
            assert.ok(told.every((each) => each.usage === null));
        } else {
            assert.ok(chunks.every((each) => !("usage" in each)));
        }
        // Each request begins a chat of its own.
        assert.deepEqual(await log("stream"), [n]);
    }
});

test("the helper that collects a stream, a chat of three replies, a re-roll", async () => {
    const openai = await campaign("chat");
    const messages = [{ role: "system", content: "You narrate." }];
    for (const n of [1, 2, 3]) {
        reply = () => ({ text: `Step ${n} of the stairs creaks. ${block(n)}` });
        messages.push(user(`I climb, ${n}.`));
        const seen = [];
        const made = await openai.chat.completions.stream({ model: "any", messages }).on("content", (delta) => seen.push(delta)).finalChatCompletion();
        assert.equal(seen.join(""), made.choices[0].message.content);
        messages.push(made.choices[0].message);
    }
    assert.deepEqual(await log("chat"), [1, 2, 3]);
    reply = () => ({ text: `Another way down. ${block(9)}` });
    await openai.chat.completions.create({ model: "any", messages: messages.slice(0, -1) });
    assert.deepEqual(await log("chat"), [1, 2, 9]);
});

test("tools of the client are passed through, streamed and whole", async () => {
    const openai = await campaign("tools");
    reply = (body) =>
        body.messages.some((each) => each.role === "tool")
            ? { text: `It is sunny there. ${block(2)}` }
            : { text: `I look it up. ${block(1)}`, calls: [{ name: "weather", arguments: { city: "雾港" } }] };
    for (const stream of [false, true]) {
        const asked = [];
        const tool = { ...weather, function: { ...weather.function, parse: JSON.parse, function: ({ city }) => (asked.push(city), "sunny") } };
        const runner = openai.chat.completions.runTools({ model: "any", messages: [user(`The weather? ${stream}`)], tools: [tool], stream });
        assert.equal((await runner.finalContent()).trim(), "It is sunny there.");
        assert.deepEqual(asked, ["雾港"]);
        // The client's call and its result reach the model as they are.
        const sent = upstream.requests.at(-1).body.messages;
        const call = sent.find((each) => each.tool_calls);
        assert.deepEqual(call.tool_calls[0].function, { name: "weather", arguments: '{"city":"雾港"}' });
        const result = sent.find((each) => each.role === "tool");
        assert.deepEqual([result.tool_call_id, result.content], [call.tool_calls[0].id, "sunny"]);
        assert.deepEqual(await log("tools"), [1, 2]);
    }
});

test("a tool call without words keeps the commands beside it", async () => {
    const openai = await campaign("silent");
    reply = (body) =>
        body.messages.some((each) => each.role === "tool")
            ? { text: `It rains. ${block(2)}` }
            : { text: block(1), calls: [{ name: "weather", arguments: {} }] };
    const tool = { ...weather, function: { ...weather.function, parse: JSON.parse, function: () => "rain" } };
    const runner = openai.chat.completions.runTools({ model: "any", messages: [user("And now?")], tools: [tool], stream: true });
    assert.equal((await runner.finalContent()).trim(), "It rains.");
    assert.deepEqual(await log("silent"), [1, 2]);
});

test("tools of the engine are resolved inside, also beside those of the client", async () => {
    const openai = await campaign("table", { table: "demo" });
    for (const stream of [false, true]) {
        const before = upstream.requests.length;
        reply = (body) =>
            body.messages.some((each) => each.role === "tool")
                ? { text: "You listen to the waves for a while." }
                : { text: "", calls: [{ name: "roll", arguments: { dice: "1d6", purpose: "listening" } }] };
        const made = await openai.chat.completions.stream({ model: "any", messages: [user(`I listen. ${stream}`)], tools: [weather] }).finalChatCompletion();
        assert.equal(made.choices[0].message.content, "You listen to the waves for a while.");
        assert.equal(made.choices[0].finish_reason, "stop");
        assert.ok(!made.choices[0].message.tool_calls?.length);
        const sent = upstream.requests.slice(before).map((each) => each.body);
        assert.equal(sent.length, 2);
        const names = sent[0].tools.map((each) => each.function.name);
        assert.ok(names.includes("roll") && names.includes("weather"), names.join());
        assert.match(sent[1].messages.find((each) => each.role === "tool").content, /[1-6]/);
    }
});

test("errors have the classes of the client, and change nothing", async () => {
    const openai = await campaign("errors");
    const ask = (more = {}) => openai.chat.completions.create({ model: "any", messages: [user("Go.")], ...more });
    const refused = [
        [401, OpenAI.AuthenticationError, "authentication_error"],
        [400, OpenAI.BadRequestError, "invalid_request_error"],
        [429, OpenAI.RateLimitError, "rate_limit_error"],
        [500, OpenAI.InternalServerError, "server_error"],
        [503, OpenAI.InternalServerError, "server_error"],
    ];
    for (const [status, kind, type] of refused) {
        for (const stream of [false, true]) {
            reply = () => ({ status, error: `told ${status}`, headers: { "Retry-After": "60" } });
            const error = await ask({ stream }).then(() => assert.fail(), (each) => each);
            assert.ok(error instanceof kind, `${status}: ${error}`);
            assert.equal(error.type, type);
            assert.ok(error.code && error.message.includes(`told ${status}`), error.message);
            assert.ok(error.requestID, "no request id");
        }
    }
    await assert.rejects(client("/c/nowhere/v1").chat.completions.create({ model: "any", messages: [user("x")] }), OpenAI.NotFoundError);
    await assert.rejects(client().chat.completions.create({ model: "campaign:nowhere", messages: [user("x")] }), OpenAI.NotFoundError);
    await assert.rejects(client().chat.completions.create({ model: "any", messages: [] }), OpenAI.BadRequestError);
    const unknown = await client().embeddings.create({ model: "any", input: "x" }).then(() => assert.fail(), (each) => each);
    assert.ok(unknown instanceof OpenAI.NotFoundError && unknown.message.length > "404 ".length, unknown.message);
    // In the middle of a stream: an error chunk, after the text so far, and a clean end.
    reply = () => ({ text: `The rope tears ${block(1)} and`, broken: true });
    let text = "";
    const error = await (async () => {
        for await (const chunk of await ask({ stream: true })) {
            text += chunk.choices[0]?.delta.content ?? "";
        }
    })().then(() => assert.fail(), (each) => each);
    assert.ok(error instanceof OpenAI.APIError && !(error instanceof OpenAI.APIConnectionError), String(error));
    assert.ok(error.code && error.message, String(error));
    assert.match(text, /^The rope tears/);
    assert.deepEqual(await log("errors"), []);
    // The client asks again by itself when the server is busy: one turn comes of it.
    let asked = 0;
    reply = () => (++asked === 1 ? { status: 503, error: "busy", headers: { "Retry-After": "0" } } : { text: `Across. ${block(5)}` });
    await client("/c/errors/v1", { maxRetries: 2 }).chat.completions.create({ model: "any", messages: [user("Go.")] });
    assert.deepEqual(await log("errors"), [5]);
});

test("an abort stops the model and counts for nothing; the text is recognised", async () => {
    const openai = await campaign("abort");
    const messages = [user("Tell.")];
    reply = () => ({ text: `Once upon a time ${block(1)}there was a lighthouse keeper`, hang: true });
    const before = upstream.aborted;
    const stream = await openai.chat.completions.create({ model: "any", messages, stream: true });
    let text = "";
    for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        if (text.includes("there was")) {
            break; // the iterator aborts the request
        }
    }
    await until(() => upstream.aborted > before, "the model server is not told");
    reply = () => ({ text: `Good night. ${block(2)}` });
    messages.push({ role: "assistant", content: text }, user("I sleep."));
    await openai.chat.completions.create({ model: "any", messages });
    assert.deepEqual(await log("abort"), [2]);
    // Before the first text, and without a stream.
    for (const more of [{ stream: true }, {}]) {
        reply = () => ({ text: "", hang: true });
        const aborted = upstream.aborted;
        const asked = upstream.requests.length;
        const control = new AbortController();
        const asking = openai.chat.completions.create({ model: "any", messages, ...more }, { signal: control.signal });
        await until(() => upstream.requests.length > asked, "the model was not asked");
        control.abort();
        await assert.rejects(async () => {
            for await (const _ of await asking);
        }, OpenAI.APIUserAbortError);
        await until(() => upstream.aborted > aborted, "the model server is not told");
    }
    assert.deepEqual(await log("abort"), [2]);
});

test("models, text completions, fields of other servers, a chat without a campaign", async () => {
    const openai = client();
    const ids = [];
    for await (const each of openai.models.list()) {
        assert.deepEqual([each.object, typeof each.created, typeof each.owned_by], ["model", "number", "string"]);
        ids.push(each.id);
    }
    assert.ok(ids.includes("mock") && ids.includes("campaign:whole"), ids.join());
    reply = () => ({ text: `Welcome. ${block(7)}` });
    const { data, response } = await openai.chat.completions
        .create({
            model: "mock",
            messages: [{ role: "developer", content: '[initvar]\n{"log": ["$__META_EXTENSIBLE__$"]}' }, user([{ type: "text", text: "Hello." }])],
            min_p: 0.1,
            seed: 7,
        })
        .withResponse();
    assert.equal(data.choices[0].message.content.trim(), "Welcome.");
    assert.deepEqual(await arbiter.state(response.headers.get("x-arbiter-campaign"), "/stat_data/log"), [7]);
    assert.deepEqual([upstream.requests.at(-1).body.min_p, upstream.requests.at(-1).body.seed], [0.1, 7]);
});

test("with tokens the key is ours, and a wrong one is refused in the client's words", async () => {
    const own = mkdtempSync(path.join(folder, "tokens-"));
    const token = execFileSync(program, ["token", "new", "player", "--scope", "play", "--store", "sqlite:store.db"], { cwd: own, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
        .match(/\S{30,}/)[0];
    const guarded = await Arbiter.start(program, own, "--upstream", upstream.url, "--model", "mock");
    try {
        const ask = (apiKey) => new OpenAI({ baseURL: `${guarded.url}/v1`, apiKey, maxRetries: 0 }).chat.completions.create({ model: "mock", messages: [user("Hi.")] });
        reply = () => ({ text: "Hello." });
        await assert.rejects(ask("sk-wrong"), (each) => each instanceof OpenAI.AuthenticationError && each.type === "authentication_error");
        assert.equal((await ask(token)).choices[0].message.content, "Hello.");
        assert.ok(!JSON.stringify(upstream.requests.at(-1)).includes(token), "our token went to the model server");
    } finally {
        await guarded.stop();
    }
});
