// Goal: every proposal of a turn is a row with its reason; bookkeeping of the table is none.
import { beforeEach, describe, expect, test } from "vitest";
import type { TurnLog } from "../src/api/types";
import { locale } from "../src/i18n/index.svelte";
import { countOf, rollsOf, sceneOf, verdictRows } from "../src/text/verdicts";

const failed = { actor: "AI", action: "set", key: "foo", status: "failed", code: "not_found", value: 2 };
const refused = { actor: "AI", action: "move", tool: "move", key: "$", status: "rejected", code: "not_connected" };
const roll = { character_id: "ali", dice: "2d6+3", rolls: [1, 2], total: 6, difficulty: 9, is_success: false };
const log: TurnLog = {
    id: "1",
    number: 3,
    actor: "ai",
    user_input: "",
    assistant_output_text: "",
    timestamp: "",
    changes: [],
    verdicts: [
        { op: null, path: [], status: "rejected", code: "not_connected" },
        { op: "set", path: ["hp"], status: "applied", warnings: ["repaired"] },
        { op: "set", path: ["foo"], status: "failed", code: "not_found" },
    ],
    audit: [
        { ...refused, details: ["move", "dock", "cellar"] },
        { actor: "AI", action: "set", key: "hp", status: "applied", before: 10, after: 12 },
        failed,
        { actor: "system", action: "set", key: "campaign.turn", status: "applied", reason: "table.close" },
        { actor: "system", action: "set", key: "level", status: "applied", before: 1, after: 2, reason: "level up" },
    ],
    applied_actions: [
        { kind: "tool", tool: "move", result: { to_area_id: "tower" } },
        { kind: "tool", tool: "roll", result: roll },
    ],
    trace: [{ raw: "", feedback: { failed_calls: [{ tool: "move", reason: "锁着", code: "locked" }], conflicts: [] } }],
};

describe("verdictRows", () => {
    beforeEach(() => locale.set("en"));
    test("has a tone, a reason and a remedy for each", () => {
        const rows = verdictRows(log, () => "No path leads from {0} to {1}.");
        expect(rows.map((row) => row.tone)).toEqual(["refused", "refused", "repaired", "refused", "system"]);
        expect(rows[0]).toMatchObject({ isWithdrawn: true, why: "锁着", fix: "opening the lock first" });
        expect(rows[1]?.why).toBe("No path leads from dock to cellar.");
        expect(rows[2]).toMatchObject({ before: 10, after: 12, why: "the notation was repaired" });
        expect(countOf(rows, "refused")).toBe(3);
    });
    test("speaks the language of the player", () => {
        expect(verdictRows(log)[3]?.why).toBe("There is nothing at this path.");
        locale.set("zh");
        expect(verdictRows(log)[3]?.why).toBe("这个路径上没有内容。");
    });
    test("dice and scenes come from the actions", () => {
        expect(rollsOf(log)[0]).toMatchObject({ rolls: [1, 2], total: 6, difficulty: 9, isSuccess: false, sides: 6 });
        expect(sceneOf(log)).toEqual({ area: "tower" });
    });
});
