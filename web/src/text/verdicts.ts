// The verdicts of a turn as rows to show: one for each proposal, for each effect of a rule, and for
// each thing that a withdrawn draft had wrong.
import type { AuditRecord, FailedCall, Json, TurnLog, Verdict } from "../api/types";
import { has, locale, t } from "../i18n/index.svelte";

export type Tone = "applied" | "repaired" | "refused" | "system";

export interface VerdictRow {
    tone: Tone;
    what: string; // the tool or the operation
    path: string;
    before?: Json;
    after?: Json;
    why: string;
    fix: string; // what would have worked; may be empty
    code: string;
    isWithdrawn: boolean;
}

const refusedStatuses = ["rejected", "failed", "rolled_back"];

// Counters that the table keeps for itself.
function isBookkeeping(record: AuditRecord): boolean {
    return record.actor === "system" && (record.reason ?? "").startsWith("table.");
}

function word(prefix: string, code: string | undefined): string {
    const key = `${prefix}.${code}`;
    return code && has(key) ? t(key) : "";
}

function fill(template: string, details: Json[]): string {
    return template.replace(/\{(\d)\}/g, (all, index: string) => {
        const detail = details[Number(index)];
        return detail === undefined ? all : String(detail);
    });
}

function explain(record: AuditRecord, verdict: Verdict | undefined, reasons: Reasons): string {
    const zh = locale.language === "zh";
    const told = zh
        ? (record.message_zh ?? verdict?.message_zh ?? record.message)
        : (record.message ?? verdict?.message);
    if (told) {
        return told;
    }
    const details = (record.details ?? []).slice(record.tool ? 1 : 0);
    const ofTool = record.code ? reasons(record.tool ?? "", record.code) : undefined;
    return ofTool ? fill(ofTool, details) : word("code", record.code) || record.code || "";
}

function toneOf(record: AuditRecord, warnings: string[]): Tone {
    if (refusedStatuses.includes(record.status)) {
        return "refused";
    }
    if (record.actor === "system") {
        return "system";
    }
    return warnings.length > 0 ? "repaired" : "applied";
}

// The text of a tool's reason, by its code.
export type Reasons = (tool: string, code: string) => string | undefined;

export function verdictRows(log: TurnLog, reasons: Reasons = () => undefined): VerdictRow[] {
    const records = (log.audit ?? []).filter((each) => !isBookkeeping(each));
    const proposed = records.filter((each) => each.actor !== "system");
    const matches = proposed.length === log.verdicts.length;
    const rows = records.map((record): VerdictRow => {
        const verdict = matches ? log.verdicts[proposed.indexOf(record)] : undefined;
        const warnings = record.warnings ?? verdict?.warnings ?? [];
        const tone = toneOf(record, warnings);
        const repairs = warnings.map((each) => word("warning", each) || each).join(t("list.separator"));
        return {
            tone,
            what: record.tool ?? record.action,
            path: record.key === "$" ? "" : record.key,
            before: record.before,
            after: tone === "refused" ? record.value : (record.after ?? record.value),
            why: tone === "refused" ? explain(record, verdict, reasons) : repairs || (record.reason ?? ""),
            fix: tone === "refused" ? word("fix", record.code) : "",
            code: record.code ?? "",
            isWithdrawn: false,
        };
    });
    return [...withdrawnRows(log), ...rows];
}

function withdrawnRows(log: TurnLog): VerdictRow[] {
    const lists = (log.trace ?? []).flatMap((attempt) => Object.values(attempt.feedback ?? {}));
    return lists.filter(Array.isArray).flatMap((list: FailedCall[]) =>
        list.map((entry) => ({
            tone: "refused" as const,
            what: entry.tool ?? entry.field ?? entry.path ?? "",
            path: entry.path ?? "",
            why: entry.reason ?? entry.mismatch_reason ?? entry.detail ?? "",
            fix: word("fix", entry.code),
            code: entry.code ?? "",
            isWithdrawn: true,
        })),
    );
}

export function countOf(rows: VerdictRow[], tone: Tone): number {
    return rows.filter((row) => row.tone === tone).length;
}

export interface Roll {
    character: string;
    purpose: string;
    dice: string;
    rolls: number[];
    total: number;
    difficulty?: number;
    isSuccess?: boolean;
    sides: number;
}

function number(value: Json | undefined): number | undefined {
    return typeof value === "number" ? value : undefined;
}

export function rollsOf(log: TurnLog): Roll[] {
    return log.applied_actions
        .filter((action) => action.tool === "roll" && action.result)
        .map((action) => {
            const result = action.result ?? {};
            const rolls = Array.isArray(result.rolls) ? result.rolls.filter((each) => typeof each === "number") : [];
            const dice = typeof result.dice === "string" ? result.dice : "";
            return {
                character: String(result.character_id ?? ""),
                purpose: String(result.purpose ?? ""),
                dice,
                rolls,
                total: number(result.total) ?? number(result.successes) ?? 0,
                difficulty: number(result.difficulty),
                isSuccess: typeof result.is_success === "boolean" ? result.is_success : undefined,
                sides: Number(/d(\d+)/i.exec(dice)?.[1] ?? 10),
            };
        });
}

// Where the acting character went in the turn, as the id of an area; and the new time of the story.
export function sceneOf(log: TurnLog): { area?: string; time?: string } {
    const scene: { area?: string; time?: string } = {};
    for (const action of log.applied_actions) {
        const result = action.result ?? {};
        if (action.tool === "move" && typeof result.to_area_id === "string") {
            scene.area = result.to_area_id;
        }
        if (action.tool === "time_advance") {
            const time = result.to ?? result.time ?? result.now;
            scene.time = typeof time === "string" ? time : scene.time;
        }
    }
    return scene;
}
