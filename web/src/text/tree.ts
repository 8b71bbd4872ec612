// A document as rows of a tree. Iterative: a state may be 128 levels deep and 5,000 nodes large.
import type { Change, Json } from "../api/types";
import { isDescribed, pointer } from "./value";

export interface Leaf {
    path: string[];
    value: Json;
}

function isBranch(value: Json): value is { [key: string]: Json } | Json[] {
    return value !== null && typeof value === "object" && !isDescribed(value);
}

export function* leaves(document: Json, path: string[] = []): Generator<Leaf> {
    if (!isBranch(document)) {
        yield { path, value: document };
        return;
    }
    for (const [key, value] of Object.entries(document)) {
        yield* leaves(value, [...path, key]);
    }
}

export interface TreeRow {
    path: string[];
    pointer: string;
    key: string;
    value: Json;
    depth: number;
    children: number; // 0: a value
    isOpen: boolean;
    change?: Change; // of the last turn, here
    changesBelow: boolean;
}

export interface TreeOptions {
    isOpen: (pointer: string, depth: number) => boolean;
    query: string;
    only?: (pointer: string) => boolean; // which rows, with all above them; absent: all
    changes: Map<string, Change>;
}

function textOf(value: Json): string {
    if (value !== null && typeof value === "object") {
        return isDescribed(value) ? value.map(String).join(" ") : "";
    }
    return String(value);
}

// The pointers that match, and all above them. Undefined: everything.
function matching(document: Json, options: TreeOptions): Set<string> | undefined {
    const wanted = options.query.trim().toLowerCase();
    if (!wanted && !options.only) {
        return undefined;
    }
    const found = new Set<string>();
    const visit = (value: Json, path: string[], isBelowMatch: boolean): boolean => {
        const here = pointer(path);
        const isKey = wanted !== "" && (path.at(-1) ?? "").toLowerCase().includes(wanted);
        let matches =
            (wanted === "" || isBelowMatch || isKey || textOf(value).toLowerCase().includes(wanted)) &&
            (!options.only || options.only(here));
        if (isBranch(value)) {
            for (const [key, each] of Object.entries(value)) {
                matches = visit(each, [...path, key], isBelowMatch || isKey) || matches;
            }
        }
        if (matches) {
            found.add(here);
        }
        return matches;
    };
    visit(document, [], false);
    return found;
}

export function treeRows(document: Json, options: TreeOptions): TreeRow[] {
    const shown = matching(document, options);
    const above = new Set<string>(); // of something that changed
    for (const pointer of options.changes.keys()) {
        for (let at = pointer.lastIndexOf("/"); at > 0; at = pointer.lastIndexOf("/", at - 1)) {
            above.add(pointer.slice(0, at));
        }
    }
    const rows: TreeRow[] = [];
    const visit = (value: Json, path: string[], depth: number) => {
        for (const [key, each] of Object.entries(value ?? {}) as [string, Json][]) {
            const below = [...path, key];
            const here = pointer(below);
            if (shown && !shown.has(here)) {
                continue;
            }
            const children = isBranch(each) ? Object.keys(each).length : 0;
            const isOpen = children > 0 && (shown !== undefined || options.isOpen(here, depth));
            rows.push({
                path: below,
                pointer: here,
                key,
                value: each,
                depth,
                children,
                isOpen,
                change: options.changes.get(here),
                changesBelow: above.has(here),
            });
            if (isOpen) {
                visit(each, below, depth + 1);
            }
        }
    };
    visit(document, [], 0);
    return rows;
}
