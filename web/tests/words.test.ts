// Goal: texts of the page name one thing and several things correctly.
import { beforeEach, expect, test } from "vitest";

import { locale, t } from "../src/i18n/index.svelte";

beforeEach(() => locale.set("en"));

test("one is singular, everything else plural", () => {
    expect(t("usage", "1", 1)).toBe("last turn: 1 token, 1 call");
    expect(t("usage", "1,497", 2)).toBe("last turn: 1,497 tokens, 2 calls");
    expect(t("rules.count", 0)).toBe("0 rules");
});

test("Chinese has one form", () => {
    locale.set("zh");
    expect(t("usage", "1", 1)).not.toContain("|");
});
