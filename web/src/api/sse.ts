// Server-sent events read from a fetch body. EventSource cannot send a token, and cannot POST.

export interface ServerEvent {
    event: string;
    id: string;
    data: string;
}

// Feeds text in any pieces; complete events come out. Follows the parsing rules of the HTML standard
// as far as our server uses them: event, id, data, comments, and all three line ends.
export class EventParser {
    private rest = "";
    private event = "";
    private data: string[] = [];
    private id = "";

    push(text: string): ServerEvent[] {
        const found: ServerEvent[] = [];
        this.rest += text;
        for (;;) {
            const end = this.rest.search(/\r\n|\n|\r/);
            // A CR at the end may be the first half of CR LF.
            if (end < 0 || (this.rest[end] === "\r" && end === this.rest.length - 1)) {
                return found;
            }
            const width = this.rest.startsWith("\r\n", end) ? 2 : 1;
            const line = this.rest.slice(0, end);
            this.rest = this.rest.slice(end + width);
            const event = this.line(line);
            if (event) {
                found.push(event);
            }
        }
    }

    private line(line: string): ServerEvent | undefined {
        if (line === "") {
            const event = { event: this.event || "message", id: this.id, data: this.data.join("\n") };
            const complete = this.data.length > 0;
            this.event = "";
            this.data = [];
            return complete ? event : undefined;
        }
        if (line.startsWith(":")) {
            return undefined;
        }
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "event") {
            this.event = value;
        } else if (field === "data") {
            this.data.push(value);
        } else if (field === "id" && !value.includes("\0")) {
            this.id = value;
        }
        return undefined;
    }
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    try {
        for (;;) {
            const { value, done } = await reader.read();
            if (done) {
                return;
            }
            yield* parser.push(decoder.decode(value, { stream: true }));
        }
    } finally {
        reader.cancel().catch(() => undefined);
    }
}
