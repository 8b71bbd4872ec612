// Follows the events of a campaign for as long as the page shows it: resumes by the id of the last
// event, and waits a little longer after each failure, so that a server that restarts is not flooded.
import { ApiError, campaignPath, stream } from "../api/client";
import type { Json } from "../api/types";

const firstPause = 300;
const longestPause = 5_000;

export interface Following {
    stop(): void;
}

export interface Listener {
    onEvent(event: string, data: Json): void;
    onOnline(online: boolean): void;
}

export function followEvents(campaign: string, head: () => string, listener: Listener): Following {
    const stopping = new AbortController();
    let lastId = "";
    let pause = firstPause;
    let wasOnline = true;

    const tell = (online: boolean) => {
        if (online !== wasOnline) {
            wasOnline = online;
            listener.onOnline(online);
        }
    };
    const once = async () => {
        const id = lastId || head();
        const headers: Record<string, string> = id ? { "Last-Event-ID": id } : {};
        // The first byte may be long in coming; a beginning that does not fail is enough.
        const opened = setTimeout(() => tell(true), 400);
        try {
            for await (const event of stream(campaignPath(campaign, "events"), { headers, signal: stopping.signal })) {
                pause = firstPause;
                tell(true);
                lastId = event.id || lastId;
                listener.onEvent(event.event, parse(event.data));
            }
        } finally {
            clearTimeout(opened);
        }
    };
    const run = async () => {
        while (!stopping.signal.aborted) {
            try {
                await once();
            } catch (error) {
                if (stopping.signal.aborted) {
                    return;
                }
                if (error instanceof ApiError && [401, 403, 404].includes(error.status)) {
                    return; // asking again would not help
                }
                tell(false);
            }
            await new Promise((resolve) => setTimeout(resolve, pause));
            pause = Math.min(pause * 1.7, longestPause);
        }
    };
    void run();
    return { stop: () => stopping.abort() };
}

function parse(text: string): Json {
    try {
        return JSON.parse(text) as Json;
    } catch {
        return null;
    }
}
