// Session: one open campaign as the page knows it. The one place that asks the API about it and
// listens to its events; views read its fields and call its methods. It works out no rules: all it
// shows came from the server.
import { ApiError, campaignPath, newKey, request, stream } from "../api/client";
import type {
    Checkpoint,
    History,
    HistoryTurn,
    JsonObject,
    Json,
    Proposal,
    Report,
    Rules,
    Settings,
    Tool,
    TurnAnswer,
    TurnLog,
} from "../api/types";
import { textAt } from "../text/value";
import { keepUnsent, rememberLine, unsent } from "./drafts";
import { followEvents, type Following } from "./follow";
import { notices } from "./notices.svelte";

const windowTurns = 60; // of a page of the story

export interface Running {
    said: string;
    text: string;
    phase: "waiting" | "writing" | "checking";
    // Drafts that the check refused, newest last.
    withdrawn: { text: string; reason: string }[];
    rerolls?: string; // the turn that is rolled again
    isOurs: boolean;
}

export interface Withheld {
    said: string;
    report: Report;
}

interface DraftData {
    text?: string;
    piece?: string;
    delta?: string;
    said?: string;
    reason?: string;
    shown?: string;
}

export class Session {
    readonly id: string;
    name = $state("");
    profile = $state("");
    isLoaded = $state(false);
    failure = $state.raw<unknown>(undefined);
    isOnline = $state(true);
    head = $state("");
    undoTo = $state<string | undefined>(undefined);
    turns = $state.raw<HistoryTurn[]>([]); // of the line to the head, oldest first
    hasOlder = $state(false);
    document = $state.raw<JsonObject>({});
    logs = $state.raw<Map<string, TurnLog>>(new Map());
    siblings = $state.raw<string[]>([]); // of the last reply, itself included
    running = $state.raw<Running | undefined>(undefined);
    notice = $state(""); // of the last turn
    withheld = $state.raw<Withheld | undefined>(undefined);
    settings = $state.raw<Settings | undefined>(undefined);
    tools = $state.raw<Tool[] | undefined>(undefined);
    rules = $state.raw<Rules | undefined>(undefined);
    checkpoints = $state.raw<Checkpoint[]>([]);

    private following: Following | undefined;
    private stopping: AbortController | undefined;
    private refreshing: Promise<void> | undefined;
    private isStale = false;
    private readonly loadingLogs = new Set<string>();
    private pendingText = "";
    private frame = 0;

    constructor(id: string) {
        this.id = id;
    }

    // ---- reading

    async open(): Promise<void> {
        try {
            const campaign = await request<JsonObject>(campaignPath(this.id));
            this.name = typeof campaign.name === "string" ? campaign.name : this.id;
            this.profile = typeof campaign.profile === "string" ? campaign.profile : "";
            await this.refresh();
            this.isLoaded = true;
            this.failure = undefined;
        } catch (error) {
            this.failure = error;
            if (error instanceof ApiError && !error.isOffline) {
                return;
            }
        }
        await this.loadWithheld();
        this.following ??= followEvents(this.id, () => this.head, {
            onEvent: (event, data) => this.hear(event, data),
            onOnline: (online) => {
                this.isOnline = online;
                if (online) {
                    void (this.isLoaded ? this.refresh() : this.open());
                }
            },
        });
    }
    close(): void {
        this.following?.stop();
        this.stopping?.abort();
    }

    // Reads the story and the state again. Calls while it runs are answered by one more run.
    async refresh(): Promise<void> {
        if (this.refreshing) {
            this.isStale = true;
            return this.refreshing;
        }
        this.refreshing = (async () => {
            do {
                this.isStale = false;
                await this.load();
            } while (this.isStale);
        })().finally(() => {
            this.refreshing = undefined;
        });
        return this.refreshing;
    }

    private async load(): Promise<void> {
        const [history, state] = await Promise.all([
            request<History>(campaignPath(this.id, "history", { limit: windowTurns })),
            request<{ turn: string; document: JsonObject }>(campaignPath(this.id, "state")),
        ]);
        const first = history.turns[0];
        const kept = first ? this.turns.findIndex((each) => each.id === first.id) : -1;
        this.turns = kept > 0 ? [...this.turns.slice(0, kept), ...history.turns] : history.turns;
        this.hasOlder = Boolean(this.turns[0]?.parent);
        this.head = history.head;
        this.undoTo = history.undo;
        this.document = state.document ?? {};
        await Promise.all([this.loadSiblings(), this.lastTurn ? this.loadLog(this.lastTurn.id) : undefined]);
    }

    async loadOlder(): Promise<void> {
        const first = this.turns[0];
        if (!first?.parent) {
            return;
        }
        const older = await request<History>(
            campaignPath(this.id, "history", { limit: windowTurns, before: first.id }),
        );
        this.turns = [...older.turns, ...this.turns];
        this.hasOlder = Boolean(this.turns[0]?.parent) && older.turns.length > 0;
    }

    // The name that a player gave it, or else that of the table.
    get title(): string {
        return this.name && this.name !== this.id ? this.name : textAt(this.document, ["campaign", "title"]) || this.id;
    }

    // The last turn of the story: changes of settings and the like are not part of it.
    get lastTurn(): HistoryTurn | undefined {
        return this.turns.findLast((turn) => turn.edit === undefined);
    }
    // The last one that was told, not done by the player's hand.
    get lastReply(): HistoryTurn | undefined {
        return this.turns.findLast((turn) => turn.edit === undefined && !isByHand(turn));
    }

    private async loadSiblings(): Promise<void> {
        const last = this.lastReply;
        if (!last?.parent) {
            this.siblings = last ? [last.id] : [];
            return;
        }
        const tree = await request<History>(campaignPath(this.id, "history", { limit: 200, all: "true" }));
        this.siblings = tree.turns
            .filter((turn) => turn.parent === last.parent && turn.edit === undefined && !isByHand(turn))
            .map((turn) => turn.id);
    }

    async loadLog(id: string): Promise<TurnLog | undefined> {
        const known = this.logs.get(id);
        if (known || this.loadingLogs.has(id)) {
            return known;
        }
        this.loadingLogs.add(id);
        try {
            const log = await request<TurnLog>(campaignPath(this.id, `turns/${id}`));
            this.logs = new Map(this.logs).set(id, log);
            return log;
        } catch {
            return undefined; // shown without verdicts
        } finally {
            this.loadingLogs.delete(id);
        }
    }

    private async loadWithheld(): Promise<void> {
        try {
            this.withheld = await request<Withheld>(campaignPath(this.id, "report"));
        } catch {
            this.withheld = undefined; // nothing is withheld
        }
    }

    async loadSettings(): Promise<void> {
        this.settings = await request<Settings>(campaignPath(this.id, "settings"));
    }
    async loadTools(): Promise<void> {
        this.tools = (await request<{ tools: Tool[] }>(campaignPath(this.id, "tools"))).tools;
    }
    async loadRules(): Promise<void> {
        this.rules = await request<Rules>(campaignPath(this.id, "rules"));
    }
    async loadCheckpoints(): Promise<void> {
        this.checkpoints = (
            await request<{ checkpoints: Checkpoint[] }>(campaignPath(this.id, "checkpoints"))
        ).checkpoints;
    }

    // ---- the event stream

    hear(event: string, data: Json): void {
        const draft = (data ?? {}) as DraftData;
        switch (event) {
            case "draft":
                if (!this.running?.isOurs) {
                    this.running ??= { said: draft.said ?? "", text: "", phase: "writing", withdrawn: [], isOurs: false };
                    this.addText(draft.text ?? draft.piece ?? draft.delta ?? "");
                }
                break;
            case "withdrawn":
                if (!this.running?.isOurs) {
                    this.withdraw(draft.reason ?? "");
                }
                break;
            case "turn":
            case "head":
            case "edit":
            case "gap":
                this.endRunningOfOthers();
                this.refreshQuietly();
                break;
            case "settings":
                this.refreshQuietly();
                if (this.settings) {
                    this.loadSettings().catch(() => undefined);
                }
                break;
        }
    }
    private refreshQuietly(): void {
        this.refresh().catch(() => undefined); // the banner tells of a lost connection
    }
    private endRunningOfOthers(): void {
        if (this.running && !this.running.isOurs) {
            this.clearRunning();
        }
    }

    // ---- a turn

    get canSpeak(): boolean {
        return this.isLoaded && !this.running && !this.withheld;
    }

    async say(text: string): Promise<void> {
        const kept = unsent(this.id);
        // The same words after a broken connection are the same request.
        const key = kept.key && kept.sent === text ? kept.key : newKey();
        keepUnsent(this.id, { text: "", key, sent: text });
        rememberLine(this.id, text);
        await this.play("turns", { said: text, stream: true, drafts: true, idempotency_key: key }, { said: text });
    }

    async reroll(hint = ""): Promise<void> {
        const last = this.lastReply;
        if (last) {
            const json = { turn: last.id, stream: true, drafts: true, ...(hint ? { hint } : {}) };
            await this.play("reroll", json, { said: last.said, rerolls: last.id });
        }
    }

    stop(): void {
        this.stopping?.abort();
    }

    private async play(route: string, json: JsonObject, about: { said: string; rerolls?: string }): Promise<void> {
        this.notice = "";
        this.withheld = undefined;
        this.running = { ...about, text: "", phase: "waiting", withdrawn: [], isOurs: true };
        this.stopping = new AbortController();
        const { signal } = this.stopping;
        try {
            let answer: TurnAnswer | undefined;
            for await (const event of stream(campaignPath(this.id, route), { json, signal })) {
                answer = this.hearTurn(event.event, event.data) ?? answer;
            }
            await this.settle(answer, about.said);
        } catch (error) {
            await this.fail(error, about.said, signal.aborted);
        } finally {
            this.clearRunning();
        }
    }

    // The answer, once it is there.
    private hearTurn(event: string, text: string): TurnAnswer | undefined {
        const data = parse(text);
        const draft = (data ?? {}) as DraftData;
        switch (event) {
            case "draft":
                this.addText(draft.text ?? draft.piece ?? draft.delta ?? "");
                return undefined;
            case "withdrawn":
                this.withdraw(draft.reason ?? "");
                return undefined;
            case "shown":
                this.setRunning({ text: draft.text ?? draft.shown ?? "", phase: "checking" });
                return undefined;
            case "done":
                return data as unknown as TurnAnswer;
            case "error": {
                const body = (data as { error?: ConstructorParameters<typeof ApiError>[1] }).error ?? data;
                throw new ApiError(500, body as ConstructorParameters<typeof ApiError>[1]);
            }
        }
        return undefined;
    }

    private async settle(answer: TurnAnswer | undefined, said: string): Promise<void> {
        if (!answer) {
            throw new ApiError(0, {
                code: "interrupted",
                message: "The connection broke off before the turn was finished.",
                message_zh: "连接在回合结束前中断。",
                hint: "Your words are back in the field; sending them again does not play them twice.",
                hint_zh: "你的文字已放回输入框；再次发送不会重复结算。",
            });
        }
        this.notice = answer.notice ?? "";
        keepUnsent(this.id, { text: answer.status === "committed" ? "" : answer.status === "reported" ? "" : said });
        if (answer.status === "reported" && answer.report) {
            this.withheld = { said, report: answer.report };
        }
        await this.refresh();
    }

    private async fail(error: unknown, said: string, stopped: boolean): Promise<void> {
        const before = this.head;
        await this.refresh().catch(() => undefined);
        const played = this.head !== before && this.lastReply?.said === said;
        if (played) {
            keepUnsent(this.id, { text: "" });
            return;
        }
        const kept = unsent(this.id);
        keepUnsent(this.id, stopped ? { text: said } : { ...kept, text: said });
        if (!stopped) {
            notices.error(error);
        }
    }

    // Pieces may come faster than the screen is drawn.
    private addText(text: string): void {
        this.pendingText += text;
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.flush();
        });
    }
    private flush(): void {
        if (this.running && this.pendingText) {
            this.running = { ...this.running, text: this.running.text + this.pendingText, phase: "writing" };
        }
        this.pendingText = "";
    }
    private withdraw(reason: string): void {
        this.flush();
        if (this.running) {
            const withdrawn = [...this.running.withdrawn, { text: this.running.text, reason }];
            this.running = { ...this.running, text: "", phase: "waiting", withdrawn };
        }
    }
    private setRunning(change: Partial<Running>): void {
        this.pendingText = "";
        if (this.running) {
            this.running = { ...this.running, ...change };
        }
    }
    private clearRunning(): void {
        cancelAnimationFrame(this.frame);
        this.frame = 0;
        this.pendingText = "";
        this.running = undefined;
        this.stopping = undefined;
    }

    // ---- decisions and changes

    async choose(choice: "keep" | "edit" | "accept" | "rollback", text = ""): Promise<boolean> {
        return this.change("report", choice === "edit" ? { choice, text } : { choice }, () => {
            this.withheld = undefined;
        });
    }
    async rollback(to: string): Promise<boolean> {
        return this.change("rollback", { to });
    }
    async undo(): Promise<boolean> {
        return this.change("undo", {});
    }
    // To any turn of the tree; the next turn branches off there.
    async goTo(turn: string): Promise<boolean> {
        return this.change("branch", { to: turn });
    }
    async checkpoint(label: string): Promise<boolean> {
        const done = await this.change("checkpoints", { label });
        if (done) {
            await this.loadCheckpoints().catch(() => undefined);
        }
        return done;
    }
    async swipe(step: 1 | -1): Promise<void> {
        const index = this.siblings.indexOf(this.lastReply?.id ?? "");
        const next = this.siblings[index + step];
        if (next) {
            await this.goTo(next);
        }
    }
    // A reply in other words: judged like any reply, stored beside the first one.
    async editReply(turn: HistoryTurn, text: string): Promise<boolean> {
        if (turn.parent && !(await this.goTo(turn.parent))) {
            return false;
        }
        return this.change("propose", { text, said: turn.said, actor: "ai" });
    }
    async selectActor(character: string): Promise<boolean> {
        return this.change("party/actor", { character });
    }
    async selectType(type: string): Promise<boolean> {
        return this.change("type", { type });
    }
    async allowTool(tool: string, allowed: boolean): Promise<boolean> {
        const done = await this.change(allowed ? "tools/allow" : "tools/deny", { tools: [tool] });
        await this.loadTools().catch(() => undefined);
        return done;
    }
    async patchSettings(patch: JsonObject): Promise<Settings> {
        this.settings = await request<Settings>(campaignPath(this.id, "settings"), { method: "PATCH", json: patch });
        this.refreshQuietly();
        return this.settings;
    }
    // A change of the state by the player, which the engine judges and audits as theirs.
    async propose(command: JsonObject, dryRun: boolean, signal?: AbortSignal): Promise<Proposal> {
        const answer = await request<Proposal>(campaignPath(this.id, "propose"), {
            json: { commands: [command], actor: "user", dry_run: dryRun },
            signal,
        });
        if (!dryRun) {
            await this.refresh();
        }
        return answer;
    }

    private async change(route: string, json: JsonObject, then?: () => void): Promise<boolean> {
        try {
            await request(campaignPath(this.id, route), { json });
            then?.();
            await this.refresh();
            return true;
        } catch (error) {
            notices.error(error);
            return false;
        }
    }
}

// A change that the player made in the state, without words.
export function isByHand(turn: HistoryTurn): boolean {
    return turn.actor === "user" && !turn.said && !turn.shown;
}

function parse(text: string): Json {
    try {
        return JSON.parse(text) as Json;
    } catch {
        return null;
    }
}
