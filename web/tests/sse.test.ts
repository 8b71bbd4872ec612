// Goal: events are read the same in whatever pieces they come.
import { expect, test } from "vitest";
import { EventParser } from "../src/api/sse";

const text = ': hello\r\nid: 1\r\nevent: draft\r\ndata: {"a":1}\r\ndata: more\r\n\r\ndata: 雾\n\nevent: x\n\n';

test("reads fields, comments and line ends in any pieces", () => {
    const whole = [
        { event: "draft", id: "1", data: '{"a":1}\nmore' },
        { event: "message", id: "1", data: "雾" },
    ];
    expect(new EventParser().push(text)).toEqual(whole);
    for (let size = 1; size < 7; ++size) {
        const parser = new EventParser();
        const found = [];
        for (let at = 0; at < text.length; at += size) {
            found.push(...parser.push(text.slice(at, at + size)));
        }
        expect(found).toEqual(whole);
    }
});
