// The shapes of the API's answers, as its OpenAPI document describes them.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ApiErrorBody {
    code: string;
    message: string;
    message_zh: string;
    hint?: string;
    hint_zh?: string;
    details?: JsonObject;
}

export interface CampaignRow {
    id: string;
    name: string;
    head: string;
    turns: number;
    updated: string;
}

export interface ImportNote {
    fate: string;
    code: string;
    name: string;
    reason: { en: string; zh: string };
}

export interface CreatedCampaign {
    id: string;
    name: string;
    head: string;
    greeting?: string;
    profile?: string;
    report?: ImportNote[];
    warnings?: ApiErrorBody[];
}

export interface HistoryTurn {
    id: string;
    parent: string | null;
    number: number;
    time: string;
    actor: string;
    said: string;
    shown: string;
    edit?: string;
    label?: string;
    damaged?: ApiErrorBody;
}

export interface History {
    head: string;
    undo?: string;
    turns: HistoryTurn[];
}

export interface Verdict {
    op: string | null;
    path: (string | number)[];
    status: "applied" | "skipped" | "duplicate" | "rejected" | "failed" | "rolled_back";
    code?: string;
    value?: Json;
    warnings?: string[];
    message?: string;
    message_zh?: string;
}

export interface Change {
    path: string;
    before?: Json;
    after?: Json;
}

export interface AuditRecord {
    turn?: string;
    number?: number;
    opId?: string;
    time?: string;
    actor: string;
    action: string;
    key: string;
    status: string;
    tool?: string;
    code?: string;
    details?: Json[];
    before?: Json;
    after?: Json;
    value?: Json;
    reason?: string;
    rule?: string;
    book?: string;
    message?: string;
    message_zh?: string;
    warnings?: string[];
}

export interface AppliedAction {
    kind: string;
    tool?: string;
    args?: JsonObject;
    result?: JsonObject;
    reason?: string;
}

export interface FailedCall {
    tool?: string;
    path?: string;
    text?: string;
    field?: string;
    reason?: string;
    detail?: string;
    mismatch_reason?: string;
    code?: string;
}

export interface Trace {
    raw?: string;
    tokens?: number;
    feedback?: { [list: string]: FailedCall[] };
}

export interface Usage {
    tokens: number;
    calls: number;
}

export interface TurnLog {
    id: string;
    parent?: string;
    number: number;
    actor: string;
    actor_id?: string;
    user_input: string;
    assistant_output_text: string;
    applied_actions: AppliedAction[];
    timestamp: string;
    retries?: number;
    audit?: AuditRecord[];
    verdicts: Verdict[];
    changes: Change[];
    usage?: Usage;
    trace?: Trace[];
    raw?: string;
    edit?: string;
}

export interface Conflict {
    type: string;
    field?: string;
    expected?: Json;
    found?: Json;
    quote?: string;
    reason?: string;
}

export interface Report {
    attempts?: number;
    conflicts?: Conflict[];
    failed_calls?: FailedCall[];
    notice?: string;
    choices?: string[];
}

export interface TurnAnswer {
    turn?: string;
    status: "committed" | "reported" | "blocked" | "over_spent" | "cancelled";
    shown: string;
    results: Verdict[];
    actions: AppliedAction[];
    notice?: string;
    report?: Report;
    usage: Usage;
}

export interface Proposal {
    turn?: string;
    status: string;
    results: Verdict[];
    notices: string[];
    refused?: boolean;
    changes?: Change[];
    head: string;
}

export interface SettingDefinition {
    key: string;
    type: "bool" | "int" | "enum" | "string" | "json" | string;
    scope: string;
    default: Json;
    value: Json;
    validation?: { en: string; zh: string; min?: number; max?: number; allowed?: string[] };
    ui_hint?: { en: string; zh: string };
    effect_tags?: string[];
}

export interface Settings {
    settings: JsonObject;
    revision: number;
    definitions: SettingDefinition[];
}

export interface Tool {
    name: string;
    agent_text: string;
    human_text: string;
    parameters: JsonObject;
    reasons: { [code: string]: string };
    dialog_types: string[];
    allowed?: boolean;
    disabled_until?: number;
}

export interface PromptBlock {
    id: string;
    kind?: string;
    role?: string;
    tokens: number;
    cacheable?: boolean;
    source?: string;
    message?: number;
    why: { code?: string; en: string; zh: string };
}

export interface Prompt {
    messages: { role: string; content: string | null }[];
    blocks: PromptBlock[];
    omitted?: PromptBlock[];
    tokens: number;
    context?: number;
    cacheable?: { bytes: number; messages: number; percent: number };
}

export interface ActiveProtocol {
    reference: string;
    why: string;
    since: number;
    until?: number;
}

export interface ProtocolRow {
    id: string;
    version: string | number;
    name: string;
    summary?: string;
    [more: string]: Json | undefined;
}

export interface BlameRecord {
    turn: string;
    number: number;
    actor: string;
    time?: string;
    before?: Json;
    after?: Json;
    records?: AuditRecord[];
}

export interface Mark {
    path: string;
    mark: "hidden" | "protected" | "derived" | "limited";
    rule?: string;
    book?: string;
    text?: string;
}

export interface Finding {
    code: string;
    message: string;
    message_zh?: string;
    file?: string;
    line?: number;
    at?: string;
}

export interface Book {
    name: string;
    title: string;
    title_zh: string;
    from: "profile" | "protocol";
    rules: { id: string; kind: string; text: string; writes: string[]; reads: string[] }[];
    findings: Finding[];
}

export interface Rules {
    profile: string;
    books: Book[];
    marks: Mark[];
    findings: Finding[];
}

export interface Checkpoint {
    label: string;
    turn: string;
    time: string;
}

export interface Upstream {
    connected: boolean;
    url?: string;
    model?: string;
    has_key?: boolean;
}

export interface UpstreamReport {
    url: string;
    model: string;
    usable: boolean;
    connected?: boolean;
    models: string[];
    steps: JsonObject[];
}
