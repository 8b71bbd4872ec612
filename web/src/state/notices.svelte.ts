// Short messages at the edge of the page: an error with what to do, or a thing that was done.
import { ApiError } from "../api/client";
import { locale, t } from "../i18n/index.svelte";

export interface NoticeText {
    tone: "info" | "error";
    text: string;
    hint?: string;
    action?: { label: string; run: () => void };
}

export function errorText(error: unknown): NoticeText {
    if (error instanceof ApiError) {
        const zh = locale.language === "zh";
        const hint = zh ? (error.body.hint_zh ?? error.body.hint) : error.body.hint;
        return { tone: "error", text: zh ? error.body.message_zh : error.body.message, hint };
    }
    return { tone: "error", text: t("error.page"), hint: String(error) };
}

class Notices {
    list = $state.raw<(NoticeText & { id: number })[]>([]);
    private next = 1;

    show(notice: NoticeText): void {
        const id = this.next++;
        this.list = [...this.list.slice(-2), { ...notice, id }];
        setTimeout(() => this.drop(id), notice.tone === "error" ? 12_000 : 5_000);
    }
    error(error: unknown): void {
        if (error instanceof DOMException && error.name === "AbortError") {
            return;
        }
        this.show(errorText(error));
    }
    drop(id: number): void {
        this.list = this.list.filter((each) => each.id !== id);
    }
}

export const notices = new Notices();
