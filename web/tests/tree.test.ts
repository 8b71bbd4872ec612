// Goal: a state becomes rows of a tree, with special names, filters and changes; large ones too.
import { describe, expect, test } from "vitest";
import type { Json } from "../src/api/types";
import { treeRows } from "../src/text/tree";
import { at, isDescribed, parseDotted, parsePointer, pointer, shortValue } from "../src/text/value";

const plain = { isOpen: () => true, query: "", changes: new Map() };
const state = JSON.parse(
    '{"a": {"hp": [10, "生命"], "x/y~z": 1}, "__proto__": {"constructor": 2}, "list": ["ali", "zhou"]}',
) as Json;

describe("treeRows", () => {
    test("lists all levels in order, own members only (S6)", () => {
        expect(treeRows(state, plain).map((row) => row.pointer)).toEqual([
            "/a",
            "/a/hp",
            "/a/x~1y~0z",
            "/__proto__",
            "/__proto__/constructor",
            "/list",
            "/list/0",
            "/list/1",
        ]);
        expect(at({}, ["constructor"])).toBeUndefined();
        expect(at(state, ["__proto__", "constructor"])).toBe(2);
    });
    test("search finds keys and values and keeps their parents", () => {
        expect(treeRows(state, { ...plain, query: "生命" }).map((row) => row.key)).toEqual(["a", "hp"]);
        expect(treeRows(state, { ...plain, query: "zhou" }).map((row) => row.key)).toEqual(["list", "1"]);
    });
    test("marks the changes of the last turn", () => {
        const changes = new Map([["/a/hp", { path: "/a/hp", before: 12, after: 10 }]]);
        const rows = treeRows(state, { ...plain, changes });
        expect(rows.find((row) => row.key === "hp")?.change?.before).toBe(12);
        expect(rows.find((row) => row.key === "a")?.changesBelow).toBe(true);
        expect(treeRows(state, { ...plain, changes, only: (pointer) => changes.has(pointer) }).map((row) => row.key)).toEqual(["a", "hp"]);
    });
    test("takes 5,000 nodes", () => {
        const large: Record<string, Json> = {};
        for (let i = 0; i < 5000; ++i) {
            large[`k${i}`] = { v: i };
        }
        expect(treeRows(large, plain)).toHaveLength(10_000);
    });
});

test("pointers and dotted paths are read back", () => {
    const path = ["campaign", "a/b", "~", "角色"];
    expect(parsePointer(pointer(path))).toEqual(path);
    expect(parseDotted('campaign.rolls[0]["x.y"].角色')).toEqual(["campaign", "rolls", "0", "x.y", "角色"]);
});
test("a value with its description is told from a list of names", () => {
    expect(isDescribed([10, "hit points"])).toBe(true);
    expect(isDescribed(["ali", "zhou"])).toBe(false);
    expect(isDescribed(["阿梨", "老周"])).toBe(false);
    expect(isDescribed(["茶馆", "当前的位置"])).toBe(true);
    expect(shortValue({ current: 3, max: 12 })).toBe("3/12");
    expect(isDescribed(["good", "the mood of the innkeeper"])).toBe(true);
});
