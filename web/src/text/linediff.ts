// Two texts compared line by line.

export interface DiffLine {
    kind: "same" | "added" | "removed";
    text: string;
}

const linesMax = 1500; // of the part that differs, on each side; the table below has their product

// Lines of `after` in their order, with those of `before` that are gone where they stood.
export function lineDiff(before: string, after: string): DiffLine[] {
    const old = before.split("\n");
    const now = after.split("\n");
    let head = 0;
    while (head < old.length && head < now.length && old[head] === now[head]) {
        head += 1;
    }
    let tail = 0;
    while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) {
        tail += 1;
    }
    const line = (kind: DiffLine["kind"]) => (text: string) => ({ kind, text });
    return [
        ...now.slice(0, head).map(line("same")),
        ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
        ...now.slice(now.length - tail).map(line("same")),
    ];
}

function middle(old: string[], now: string[]): DiffLine[] {
    if (old.length > linesMax || now.length > linesMax) {
        return [
            ...old.map((text) => ({ kind: "removed" as const, text })),
            ...now.map((text) => ({ kind: "added" as const, text })),
        ];
    }
    // The length of the longest common subsequence of what begins at i and j.
    const width = now.length + 1;
    const common = new Uint16Array((old.length + 1) * width);
    for (let i = old.length - 1; i >= 0; i -= 1) {
        for (let j = now.length - 1; j >= 0; j -= 1) {
            common[i * width + j] =
                old[i] === now[j]
                    ? (common[(i + 1) * width + j + 1] ?? 0) + 1
                    : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
        }
    }
    const lines: DiffLine[] = [];
    let i = 0;
    let j = 0;
    while (i < old.length || j < now.length) {
        const [gone, come] = [old[i], now[j]];
        if (gone !== undefined && gone === come) {
            lines.push({ kind: "same", text: gone });
            i += 1;
            j += 1;
        } else if (gone !== undefined && (come === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) {
            lines.push({ kind: "removed", text: gone });
            i += 1;
        } else {
            lines.push({ kind: "added", text: come ?? "" });
            j += 1;
        }
    }
    return lines;
}

// The same with long runs of equal lines cut down to `around` lines beside a difference.
export function shortened(lines: DiffLine[], around = 2): (DiffLine | { kind: "gap"; text: string; count: number })[] {
    const near = new Set<number>();
    lines.forEach((line, index) => {
        if (line.kind !== "same") {
            for (let at = index - around; at <= index + around; at += 1) {
                near.add(at);
            }
        }
    });
    const out: (DiffLine | { kind: "gap"; text: string; count: number })[] = [];
    lines.forEach((line, index) => {
        const last = out.at(-1);
        if (near.has(index)) {
            out.push(line);
        } else if (last?.kind === "gap") {
            last.count += 1;
        } else {
            out.push({ kind: "gap", text: "", count: 1 });
        }
    });
    return out;
}
