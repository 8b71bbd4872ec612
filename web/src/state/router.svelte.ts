// Where the page is: #/ (first visit), #/c/CAMPAIGN/VIEW[/REST]. Kept in the hash, so that the server
// has one address to answer and links can be shared.

export const views = ["play", "state", "history", "table", "rules", "prompt", "tools", "settings"] as const;
export type View = (typeof views)[number];

export interface Place {
    campaign: string;
    view: View;
    rest: string;
}

export function parsePlace(hash: string): Place | undefined {
    const parts = hash.replace(/^#\/?/, "").split("/");
    if (parts[0] !== "c" || !parts[1]) {
        return undefined;
    }
    const view = views.find((each) => each === parts[2]) ?? "play";
    try {
        return {
            campaign: decodeURIComponent(parts[1]),
            view,
            rest: parts.slice(3).map(decodeURIComponent).join("/"),
        };
    } catch {
        return undefined;
    }
}

export function printPlace(campaign: string, view: View = "play", rest = ""): string {
    const tail = rest ? `/${encodeURIComponent(rest)}` : "";
    return `#/c/${encodeURIComponent(campaign)}/${view}${tail}`;
}

class Router {
    place = $state.raw<Place | undefined>(parsePlace(location.hash));

    start(): void {
        addEventListener("hashchange", () => {
            this.place = parsePlace(location.hash);
        });
    }
    go(campaign: string, view: View = "play", rest = ""): void {
        location.hash = printPlace(campaign, view, rest);
    }
    home(): void {
        location.hash = "#/";
    }
}

export const router = new Router();
