// Text that was typed and not sent, and the lines that were sent, for each campaign. Survives a reload.

const historyMax = 50;

function read<T>(key: string, otherwise: T): T {
    try {
        return (JSON.parse(localStorage.getItem(key) ?? "null") as T | null) ?? otherwise;
    } catch {
        return otherwise;
    }
}

export interface Unsent {
    text: string;
    // Of a line that was sent without an answer: sending it again happens once.
    key?: string;
    sent?: string;
}

export function unsent(campaign: string): Unsent {
    return read<Unsent>(`arbiter.unsent.${campaign}`, { text: "" });
}

export function keepUnsent(campaign: string, draft: Unsent): void {
    if (draft.text || draft.key) {
        localStorage.setItem(`arbiter.unsent.${campaign}`, JSON.stringify(draft));
    } else {
        localStorage.removeItem(`arbiter.unsent.${campaign}`);
    }
}

export function sentLines(campaign: string): string[] {
    return read<string[]>(`arbiter.lines.${campaign}`, []);
}

export function rememberLine(campaign: string, line: string): void {
    const lines = [...sentLines(campaign).filter((each) => each !== line), line].slice(-historyMax);
    localStorage.setItem(`arbiter.lines.${campaign}`, JSON.stringify(lines));
}
