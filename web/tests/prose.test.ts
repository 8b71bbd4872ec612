// Goal: replies of models become paragraphs, speech and emphasis, and never markup.
import { describe, expect, test } from "vitest";
import { paragraphs, scriptOf } from "../src/text/prose";

describe("paragraphs", () => {
    test("splits lines, drops blank ones and leading ideographic spaces", () => {
        expect(paragraphs("　　雾很厚。\n\n  Second. \r\n")).toEqual([[{ text: "雾很厚。" }], [{ text: "Second." }]]);
    });
    test("marks speech in four kinds of quotes", () => {
        expect(paragraphs("他说：“走。”然后离开")[0]).toEqual([
            { text: "他说：" },
            { text: "“走。”", speech: true },
            { text: "然后离开" },
        ]);
        expect(paragraphs('「行」『好』"yes"')[0]?.every((run) => run.speech)).toBe(true);
    });
    test("leaves a quote without its end alone", () => {
        expect(paragraphs("他说：“走")[0]).toEqual([{ text: "他说：“走" }]);
    });
    test("reads stars as emphasis, and keeps single ones", () => {
        expect(paragraphs("**a** *b* 2 * 3")[0]).toEqual([
            { text: "a", strong: true },
            { text: " " },
            { text: "b", emphasis: true },
            { text: " 2 * 3" },
        ]);
    });
    test("keeps markup as text", () => {
        expect(paragraphs("<img src=x onerror=alert(1)>")[0]?.[0]?.text).toBe("<img src=x onerror=alert(1)>");
    });
    test("knows the script of a text", () => {
        expect(scriptOf("The fog")).toBe("en");
        expect(scriptOf("雾")).toBe("zh-Hans");
    });
});
