// Values of the state as short texts, and paths in their notations.
import type { Json } from "../api/types";

const shortMax = 80;

export function shortValue(value: Json | undefined, max = shortMax): string {
    if (value === undefined) {
        return "–";
    }
    if (typeof value === "string") {
        return value.length > max ? `${value.slice(0, max)}…` : value;
    }
    if (value === null || typeof value !== "object") {
        return String(value);
    }
    if (Array.isArray(value)) {
        return isDescribed(value) ? shortValue(value[0], max) : `[${value.length}]`;
    }
    if (typeof value.current === "number" && typeof value.max === "number") {
        return `${value.current}/${value.max}`;
    }
    const text = Object.entries(value)
        .slice(0, 4)
        .map(([key, each]) => `${key}: ${each !== null && typeof each === "object" ? "…" : String(each)}`)
        .join(", ");
    return text.length > max ? `${text.slice(0, max)}…` : text || "{}";
}

// A Chinese character says as much as three letters.
function weight(text: string): number {
    return text.length + 2 * (text.match(/\p{Script=Han}/gu)?.length ?? 0);
}

// MVU cards write [value, "what it means"].
export function isDescribed(value: Json): value is [Json, string] {
    return (
        Array.isArray(value) &&
        value.length === 2 &&
        typeof value[1] === "string" &&
        (value[0] === null || typeof value[0] !== "object") &&
        // Two short names are a list of names.
        !(typeof value[0] === "string" && weight(value[1]) < 12)
    );
}

export type Path = (string | number)[];

export function pointer(path: Path): string {
    return path.map((each) => `/${String(each).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function parsePointer(text: string): string[] {
    return text === ""
        ? []
        : text
              .slice(1)
              .split("/")
              .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
}

// campaign.characters.ali → [ … ]; brackets for names with dots and for indexes.
export function parseDotted(text: string): string[] {
    const parts: string[] = [];
    for (const found of text.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|(\d+))\]|([^.[\]]+)/g)) {
        parts.push((found[1] ?? found[2] ?? found[3] ?? "").replace(/\\(.)/g, "$1"));
    }
    return parts;
}

export function at(document: Json | undefined, path: Path): Json | undefined {
    let value: Json | undefined = document;
    for (const key of path) {
        if (value === null || typeof value !== "object") {
            return undefined;
        }
        // Own members only: a state may have a member called constructor.
        value = Object.hasOwn(value, key) ? (value as Record<string | number, Json>)[key] : undefined;
    }
    return value;
}

export function objectAt(document: Json | undefined, path: Path): { [key: string]: Json } {
    const value = at(document, path);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

export function textAt(document: Json | undefined, path: Path): string {
    const value = at(document, path);
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
