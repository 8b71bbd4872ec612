// Words of the page in the language of the player. `t("send")`; {0}, {1} are replaced by values, and
// {0|turn|turns} by the first word if the value is 1, else by the second.
import { speak } from "../api/client";
import { en } from "./en";
import { zh } from "./zh";

export type Language = "zh" | "en";
export type Key = keyof typeof en;

const storeKey = "arbiter.language";

function initial(): Language {
    const kept = localStorage.getItem(storeKey);
    if (kept === "zh" || kept === "en") {
        return kept;
    }
    return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

class Locale {
    language = $state<Language>(initial());

    set(language: Language): void {
        this.language = language;
        localStorage.setItem(storeKey, language);
        this.apply();
    }
    apply(): void {
        document.documentElement.lang = this.language === "zh" ? "zh-Hans" : "en";
        speak(this.language === "zh" ? "zh" : "en");
    }
}

export const locale = new Locale();

export function t(key: Key, ...values: (string | number)[]): string {
    const text = (locale.language === "zh" ? zh : en)[key];
    return text.replace(/\{(\d)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, index: string, one?: string, many?: string) => {
        const value = String(values[Number(index)] ?? "");
        return one === undefined ? value : ((value === "1" ? one : many) ?? "");
    });
}

// A text that the server gives in both languages.
export function either(text: { en: string; zh: string }): string {
    return locale.language === "zh" ? text.zh : text.en;
}

export function has(key: string): key is Key {
    return Object.hasOwn(en, key);
}
