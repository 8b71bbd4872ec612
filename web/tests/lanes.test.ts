// Goal: the tree of turns is drawn with the line to the head in lane 0 and branches beside it.
import { expect, test } from "vitest";
import type { HistoryTurn } from "../src/api/types";
import { laneRows } from "../src/text/lanes";

const turn = (id: string, parent: string | null): HistoryTurn => ({
    id,
    parent,
    number: 0,
    time: "",
    actor: "ai",
    said: "",
    shown: "",
});

test("puts branches beside the line", () => {
    const rows = laneRows([turn("a", null), turn("b", "a"), turn("c", "a"), turn("d", "c"), turn("e", "b")], "e");
    expect(rows.map((row) => [row.turn.id, row.lane, row.parentLane, row.isOnLine])).toEqual([
        ["e", 0, 0, true],
        ["d", 1, 1, false],
        ["c", 1, 0, false],
        ["b", 0, 0, true],
        ["a", 0, -1, true],
    ]);
    expect(rows[0]?.isHead).toBe(true);
    expect(rows[1]?.through).toEqual([0]);
});
test("gives a lane that ended to the next branch", () => {
    const rows = laneRows([turn("a", null), turn("x", "a"), turn("b", "a"), turn("y", "b"), turn("c", "b")], "c");
    expect(Math.max(...rows.map((row) => row.lane))).toBe(1);
});
test("takes 10,000 turns", () => {
    const line = Array.from({ length: 10_000 }, (_, i) => turn(String(i), i > 0 ? String(i - 1) : null));
    expect(laneRows(line, "9999")).toHaveLength(10_000);
});
