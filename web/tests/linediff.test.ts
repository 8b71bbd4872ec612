// Goal: two prompts are compared line by line; what stayed is cut short, and large ones end in time.
import { expect, test } from "vitest";
import { lineDiff, shortened } from "../src/text/linediff";

test("keeps common lines and marks the others where they stand", () => {
    expect(lineDiff("a\nb\nc\nd", "a\nx\nc\nd\ne")).toEqual([
        { kind: "same", text: "a" },
        { kind: "removed", text: "b" },
        { kind: "added", text: "x" },
        { kind: "same", text: "c" },
        { kind: "same", text: "d" },
        { kind: "added", text: "e" },
    ]);
    expect(lineDiff("same", "same")).toEqual([{ kind: "same", text: "same" }]);
});
test("cuts equal lines far from a difference", () => {
    const long = Array.from({ length: 30 }, (_, i) => String(i)).join("\n");
    const short = shortened(lineDiff(long, long.replace("15", "x")));
    expect(short[0]).toEqual({ kind: "gap", text: "", count: 13 });
    expect(short).toHaveLength(1 + 2 + 2 + 2 + 1);
});
test("does not try to match what is too large", () => {
    const text = (n: number) => Array.from({ length: 5000 }, (_, i) => `${n} ${i}`).join("\n");
    expect(lineDiff(text(1), text(2))).toHaveLength(10_000);
});
