// Narration as data: paragraphs of runs. The page sets these as text nodes; nothing of a reply is ever
// read as markup.

export interface Run {
    text: string;
    speech?: boolean;
    strong?: boolean;
    emphasis?: boolean;
}

const quotes: Record<string, string> = { "“": "”", "「": "」", "『": "』", '"': '"' };

// Speech: from an opening quote to its closing one, inside of one paragraph.
function speechRuns(text: string): Run[] {
    const runs: Run[] = [];
    let begin = 0;
    for (let i = 0; i < text.length; ++i) {
        const close = quotes[text.charAt(i)];
        const end = close ? text.indexOf(close, i + 1) : -1;
        if (end < 0) {
            continue;
        }
        if (i > begin) {
            runs.push({ text: text.slice(begin, i) });
        }
        runs.push({ text: text.slice(i, end + 1), speech: true });
        begin = end + 1;
        i = end;
    }
    if (begin < text.length) {
        runs.push({ text: text.slice(begin) });
    }
    return runs;
}

// **strong** and *emphasis*, as models write them; stars without a partner stay.
function starRuns(run: Run): Run[] {
    const runs: Run[] = [];
    let begin = 0;
    for (const found of run.text.matchAll(/\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*/g)) {
        if (found.index > begin) {
            runs.push({ ...run, text: run.text.slice(begin, found.index) });
        }
        runs.push(
            found[1] !== undefined
                ? { ...run, text: found[1], strong: true }
                : { ...run, text: found[2] ?? "", emphasis: true },
        );
        begin = found.index + found[0].length;
    }
    if (begin < run.text.length) {
        runs.push({ ...run, text: run.text.slice(begin) });
    }
    return runs;
}

export function paragraphs(text: string): Run[][] {
    return text
        .split(/\r?\n/)
        .map((line) => line.replace(/^[\s\u3000]+|\s+$/g, ""))
        .filter((line) => line.length > 0)
        .map((line) => speechRuns(line).flatMap(starRuns));
}

const han = /\p{Script=Han}/u;

// The language that a text is set in; by its beginning.
export function scriptOf(text: string): "zh-Hans" | "en" {
    return han.test(text.slice(0, 200)) ? "zh-Hans" : "en";
}
