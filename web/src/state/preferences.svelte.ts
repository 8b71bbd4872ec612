// Choices about the page itself. They stay in the browser; settings of a campaign are the server's.

export type Theme = "auto" | "light" | "dark";

interface Kept {
    theme: Theme;
    sendsOnEnter: boolean;
    indents: boolean;
    tintsSpeech: boolean;
    size: number;
}

const storeKey = "arbiter.preferences";
const defaults: Kept = { theme: "auto", sendsOnEnter: true, indents: false, tintsSpeech: true, size: 18 };

function kept(): Kept {
    try {
        return { ...defaults, ...(JSON.parse(localStorage.getItem(storeKey) ?? "{}") as Partial<Kept>) };
    } catch {
        return defaults;
    }
}

class Preferences {
    values = $state<Kept>(kept());
    private readonly dark = matchMedia("(prefers-color-scheme: dark)");

    start(): void {
        this.dark.addEventListener("change", () => this.apply());
        this.apply();
    }
    set<K extends keyof Kept>(key: K, value: Kept[K]): void {
        this.values[key] = value;
        localStorage.setItem(storeKey, JSON.stringify(this.values));
        this.apply();
    }
    apply(): void {
        const { theme, size } = this.values;
        const isDark = theme === "dark" || (theme === "auto" && this.dark.matches);
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        document.documentElement.style.setProperty("--prose-size", `${size}px`);
    }
}

export const preferences = new Preferences();
