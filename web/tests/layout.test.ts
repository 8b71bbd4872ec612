// Goal: places of a map lie apart, inside of the frame, and where they lay the last time.
import { expect, test } from "vitest";
import { layOut } from "../src/views/table/layout";

test("lays out a map the same each time, each place apart from the others", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const paths = [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "b", to: "nowhere" },
    ];
    const first = layOut(ids, paths);
    expect(layOut(ids, paths)).toEqual(first);
    const points = [...first.values()];
    for (const { x, y } of points) {
        expect(x >= 0 && x <= 1 && y >= 0 && y <= 1).toBe(true);
    }
    points.forEach((p, i) =>
        points.slice(i + 1).forEach((q) => expect(Math.hypot(p.x - q.x, p.y - q.y)).toBeGreaterThan(0.15)),
    );
    expect(layOut(["only"], []).get("only")).toEqual({ x: 0.5, y: 0.5 });
});
