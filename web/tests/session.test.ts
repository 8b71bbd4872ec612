// Goal: the store plays turns from the stream, keeps words that were not sent, and follows others.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepUnsent, sentLines, unsent } from "../src/state/drafts";
import { Session } from "../src/state/session.svelte";

const turn = (id: string, parent: string | null, said = "", shown = "…") => ({
    id,
    parent,
    number: 1,
    time: "2026-01-01T00:00:00Z",
    actor: "ai",
    said,
    shown,
});

// A server in the shape of the API.
class FakeServer {
    calls: { path: string; body: Record<string, unknown> }[] = [];
    turns = [turn("a", null)];
    stream = "";
    isDown = false;

    fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
        if (this.isDown) {
            throw new TypeError("failed");
        }
        const isPost = init.method === "POST";
        if (isPost) {
            this.calls.push({ path, body: JSON.parse(String(init.body)) as Record<string, unknown> });
        }
        const head = this.turns.at(-1)?.id;
        const json = (value: unknown, status = 200) =>
            new Response(JSON.stringify(value), { status, headers: { "Content-Type": "application/json" } });
        if (path.includes("/history")) {
            return json({ head, turns: this.turns });
        }
        if (path.endsWith("/state")) {
            return json({ turn: head, hash: "h", document: { hp: this.turns.length } });
        }
        if (path.endsWith("/turns") && isPost) {
            return new Response(this.stream, { headers: { "Content-Type": "text/event-stream" } });
        }
        if (path.includes("/turns/")) {
            return json({ audit: [], verdicts: [], changes: [], applied_actions: [] });
        }
        if (path.endsWith("/report") && !isPost) {
            return json({ error: { code: "nothing_withheld", message: "none", message_zh: "无" } }, 409);
        }
        return json({ id: "c", name: "Story", profile: "auto" });
    };
    keyOfLastTurn = () => this.calls.findLast((call) => call.path.endsWith("/turns"))?.body.idempotency_key;
}

let server: FakeServer;
let session: Session;

beforeEach(async () => {
    localStorage.clear();
    server = new FakeServer();
    vi.stubGlobal("fetch", server.fetch);
    session = new Session("c");
    await session.open();
});
afterEach(() => {
    session.close();
    vi.unstubAllGlobals();
});

const usage = { tokens: 1, calls: 1 };
function done(answer: object): string {
    const end = JSON.stringify({ shown: "", results: [], actions: [], usage, ...answer });
    return `event: draft\ndata: {"text":"The fog "}\n\nevent: done\ndata: ${end}\n\n`;
}

test("opens with the story and the state", () => {
    expect(session.isLoaded).toBe(true);
    expect(session.title).toBe("Story");
    expect(session.turns).toHaveLength(1);
    expect(session.document).toEqual({ hp: 1 });
});
test("plays a turn and reads the story again", async () => {
    server.stream = done({ turn: "b", status: "committed", notice: "Well done." });
    const saying = session.say("look");
    expect(session.running).toMatchObject({ said: "look", isOurs: true });
    server.turns.push(turn("b", "a", "look", "The fog lifts."));
    await saying;
    expect(session.running).toBeUndefined();
    expect(session.lastReply?.id).toBe("b");
    expect(session.notice).toBe("Well done.");
    expect(unsent("c").text).toBe("");
    expect(sentLines("c")).toEqual(["look"]);
});
test("keeps words and key when the connection breaks, so that they are played once", async () => {
    server.stream = 'event: draft\ndata: {"text":"The"}\n\n';
    await session.say("look");
    expect(unsent("c").text).toBe("look");
    const first = server.keyOfLastTurn();
    await session.say("look");
    expect(server.keyOfLastTurn()).toBe(first);
    await session.say("listen");
    expect(server.keyOfLastTurn()).not.toBe(first);
});
test("a server that is down loses nothing", async () => {
    server.isDown = true;
    await session.say("look");
    expect(unsent("c").text).toBe("look");
    expect(session.turns).toHaveLength(1);
});
test("a withheld turn waits for the player's choice", async () => {
    const report = { conflicts: [{ type: "hp", reason: "12, not 3" }], choices: ["keep_state", "edit"] };
    server.stream = done({ status: "reported", report });
    await session.say("look");
    expect(session.withheld?.report.conflicts?.[0]?.type).toBe("hp");
    expect(session.canSpeak).toBe(false);
    await session.choose("keep");
    expect(server.calls.findLast((call) => call.path.endsWith("/report"))?.body).toEqual({ choice: "keep" });
    expect(session.withheld).toBeUndefined();
});
test("follows another player", async () => {
    session.hear("draft", { text: "Else" });
    await vi.waitFor(() => expect(session.running).toMatchObject({ isOurs: false, text: "Else" }));
    server.turns.push(turn("b", "a", "elsewhere"));
    session.hear("turn", { turn: "b" });
    expect(session.running).toBeUndefined();
    await vi.waitFor(() => expect(session.lastReply?.id).toBe("b"));
});
test("unsent text is kept for each campaign", () => {
    keepUnsent("x", { text: "half a sen" });
    expect(unsent("x").text).toBe("half a sen");
    expect(unsent("y").text).toBe("");
});
