// Goal: a player of SillyTavern gets state that follows the chat. After each step in the real client (a
// message, three swipes, an edit, a deletion, a branch, continue, stop) the state that our API tells is
// that of the replies in the chat, and the chat never shows a byte of a command block.
// Method: the npm package `sillytavern`, unchanged, on a free port with a data folder of its own, used in
// Chromium as a player would, against the binary with a scripted model server.
// Usage: node sillytavern_test.mjs ARBITER [PICTURES]      PICTURES: a folder for the pictures of docs/
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Arbiter, Upstream } from "./serving.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const { chromium } = await import(path.join(here, "../../web/node_modules/playwright-core/index.mjs"));
const program = path.resolve(process.argv[2]);
const pictures = process.argv[3];
const folder = mkdtempSync(path.join(tmpdir(), "arbiter-tavern-"));

// ---- the model: its n-th reply adds n to the log, in a block in the middle of the text

const words = "amber bridge candle distant ember forest garnet harbour ivory jagged kettle lantern".split(" ");
let replies = 0;
let next = {}; // more of the next answer, as Upstream takes it; one with a text or a status is as it stands
const upstream = await Upstream.start(() => {
    const more = next;
    next = {};
    if (more.status || more.text) {
        return more;
    }
    replies += 1;
    const tale = Array.from({ length: 9 }, (_, i) => `${words[(replies * 7 + i * i) % words.length]}${replies * 31 + i}`).join(" ");
    const analysis = "<Analysis>The log grows: ${log}</Analysis>";
    const block = `<UpdateVariable>\n${analysis}\n_.insert('log', ${replies});//told\n_.add('看守.油', -1);//burnt\n</UpdateVariable>`;
    return { text: `The keeper says: ${tale}.\n${block}\nThe wind rises over the sea.`, size: 1 + (replies % 9), ...more };
});
const blockWords = ["UpdateVariable", "Analysis", "_.insert", "_.add", "//told", "//burnt", "The log grows"];

// ---- the card, in the manner of MVU: variables in a disabled entry of its book

const entry = (id, comment, content, more = {}) => ({
    id, comment, content, keys: [], secondary_keys: [], constant: true, selective: false, insertion_order: 100,
    enabled: true, position: "before_char", use_regex: false, extensions: {}, ...more,
});
const card = ({ name, greeting, about, book }) => ({
    spec: "chara_card_v3",
    spec_version: "3.0",
    data: {
        name, first_mes: greeting, description: about, personality: "", scenario: "", mes_example: "", creator_notes: "",
        system_prompt: "", post_history_instructions: "", alternate_greetings: [], group_only_greetings: [], tags: [], creator: "", character_version: "1",
        extensions: {},
        character_book: { name: book, extensions: {}, entries: [
            entry(1, "[initvar] the beginning", "log:\n  - $__META_EXTENSIBLE__$\n看守:\n  名: Mira\n  油: [40, falls with every reply]\n", { enabled: false, constant: false }),
            entry(2, "[mvu_update] rules", "Every reply ends with <UpdateVariable> and its commands."),
        ] },
    },
});

// ---- SillyTavern

async function freePort() {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    server.close();
    await once(server, "close");
    return port;
}

class Tavern {
    static async start() {
        const made = new Tavern();
        const port = await freePort();
        const packaged = path.join(here, "tavern/node_modules/sillytavern");
        const data = path.join(folder, "tavern");
        made.url = `http://127.0.0.1:${port}`;
        made.process = spawn(process.execPath, ["server.js", "--port", port, "--listen", "false", "--browserLaunchEnabled", "false",
            "--dataRoot", data, "--configPath", path.join(folder, "config.yaml")], { cwd: packaged, stdio: ["ignore", "pipe", "pipe"] });
        made.log = "";
        made.process.stdout.on("data", (piece) => (made.log += piece));
        made.process.stderr.on("data", (piece) => (made.log += piece));
        // It packs its page before it listens, which takes a while.
        for (let i = 0; i < 2400 && made.process.exitCode === null; ++i) {
            if (await fetch(made.url).then((answer) => answer.ok, () => false)) {
                return made;
            }
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
        throw new Error(`SillyTavern does not answer: ${made.log.slice(-2000)}`);
    }
    async stop() {
        const ended = once(this.process, "exit");
        this.process.kill("SIGTERM");
        await ended;
    }
}

async function until(condition, what) {
    for (let i = 0; i < 6000; ++i) {
        if (condition()) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail(`${what}, still not so after a minute`);
}

// The client as a player uses it. `told` is the chat that must come of it: for each message the numbers
// that its commands add.
class Player {
    constructor(page, campaign) {
        this.page = page;
        this.campaign = campaign;
        this.told = [[]]; // the greeting
    }
    static async open(tavern, browser, { locale = "en-US", user = "Bob" } = {}) {
        const context = await browser.newContext({ viewport: { width: 1100, height: 780 }, locale });
        const page = await context.newPage();
        page.setDefaultTimeout(180_000);
        await page.route((url) => url.hostname !== "127.0.0.1", (route) => route.abort());
        await page.goto(tavern.url);
        await page.locator("#preloader").waitFor({ state: "detached" });
        const popup = page.locator(".popup:has(.onboarding)");
        await popup.or(page.locator("#send_textarea")).first().waitFor();
        if (await popup.count()) {
            await popup.locator(".popup-input").fill(user);
            await popup.locator(".popup-button-ok").click();
        }
        return new Player(page);
    }
    async drawer(icon, open) {
        const found = this.page.locator(icon);
        const isOpen = await found.evaluate((each) => each.classList.contains("openIcon"));
        if (isOpen !== open) {
            await found.click();
            await this.page.waitForTimeout(500); // it slides
        }
    }
    async connect(url, model) {
        const page = this.page;
        await this.drawer("#sys-settings-button .drawer-icon", true);
        await page.locator("#main_api").selectOption("openai");
        await page.locator("#chat_completion_source").selectOption("custom");
        await page.locator("#custom_api_url_text").fill(url);
        await page.locator("#api_button_openai").click();
        await page.locator(`#model_custom_select option[value="${model}"]`).waitFor({ state: "attached" });
        await page.locator("#model_custom_select").selectOption(model);
        await page.locator("#api_button_openai").click();
        await page.waitForFunction(() => SillyTavern.getContext().onlineStatus !== "no_connection");
    }
    async importCard(file) {
        const page = this.page;
        await this.drawer("#rightNavDrawerIcon", true);
        await page.locator("#rm_button_characters").click();
        await page.locator("#character_import_file").setInputFiles(file);
        await page.locator("#rm_print_characters_block .character_select").last().waitFor();
    }
    async choose(name) {
        const page = this.page;
        await this.drawer("#rightNavDrawerIcon", true);
        await page.locator("#rm_button_characters").click();
        await page.locator("#rm_print_characters_block .character_select", { hasText: name }).last().click();
        // The book of the card: imported, as most players do.
        const popup = page.locator("dialog.popup[open]");
        await popup.locator(".popup-button-ok").click();
        await page.locator("#chat .mes").first().waitFor();
        await this.drawer("#rightNavDrawerIcon", false);
    }
    async streaming(isOn) {
        this.isStreamed = isOn;
        await this.page.evaluate((on) => {
            const toggle = document.querySelector("#stream_toggle");
            if (toggle.checked !== on) {
                toggle.click();
            }
        }, isOn);
    }
    // Waits for the end of a reply: then the state is right.
    async settled(count) {
        await this.page.waitForFunction(
            (expected) => !document.body.dataset.generating && !document.body.dataset.swiping && SillyTavern.getContext().chat.length === expected,
            count,
        );
        await this.page.waitForTimeout(150);
    }
    async write(words) {
        const field = this.page.locator("#send_textarea");
        await field.fill(words);
        await this.press("#send_but", async () => (await field.inputValue()) === "");
    }
    async send(words) {
        await this.write(words);
        await this.settled(this.told.length + 2);
        this.told.push([], [replies]);
        await this.check(`send: ${words}`);
    }
    async swipe() {
        const before = replies;
        await this.press("#chat .last_mes .swipe_right", () => replies > before);
        await this.settled(this.told.length);
        assert.equal(replies, before + 1, "a swipe asks the model once");
        this.told[this.told.length - 1] = [replies];
        await this.check("swipe");
    }
    async swipeBack() {
        const swipe = () => this.page.evaluate(() => SillyTavern.getContext().chat.at(-1).swipe_id);
        const before = await swipe();
        await this.press("#chat .last_mes .swipe_left", async () => (await swipe()) === before - 1);
        await this.settled(this.told.length);
    }
    // Clicks until something comes of it: the client ignores clicks while it draws.
    async press(button, condition) {
        for (let tries = 0; tries < 20; ++tries) {
            await this.page.locator(button).click();
            for (let i = 0; i < 100; ++i) {
                if (await condition()) {
                    return;
                }
                await this.page.waitForTimeout(50);
            }
        }
        assert.fail(`${button} does nothing`);
    }
    // Asks the model, by a choice of the menu, for something in the place of the last message.
    async ask(option, change) {
        const before = replies;
        await this.option(option);
        await until(() => replies > before, `the model is not asked for ${option}`);
        await this.settled(this.told.length);
        change();
        await this.check(option);
    }
    // Sends, and stops the reply when some of it is shown. The model has finished its block by then.
    async stop(words) {
        const [aborted, before] = [upstream.aborted, replies];
        // SillyTavern draws a text with the next piece of it.
        next = { hang: true, pause: 40, size: 12 };
        await this.write(words);
        await until(() => replies > before, "the model is not asked");
        if (this.isStreamed) {
            await this.page.locator(`#chat .mes[mesid="${this.told.length + 1}"] .mes_text`, { hasText: "wind" }).waitFor();
        }
        await this.page.locator("#mes_stop").click();
        this.told.push(...(this.isStreamed ? [[], []] : [[]]));
        await this.settled(this.told.length);
        await until(() => upstream.aborted > aborted, "the model server is not told of the stop");
        await this.check("stop");
    }
    // A refused message and a refused swipe: the player reads why.
    async fail() {
        const refusal = { status: 429, error: "the model needs a rest", headers: { "Retry-After": "60" } };
        next = refusal;
        await this.page.locator("#chat .last_mes .swipe_right").click();
        assert.match(await this.toast(), /needs a rest/);
        await this.settled(this.told.length);
        await this.check("a swipe that fails");
        next = refusal;
        await this.write("I knock at the wall.");
        assert.match(await this.toast(), /needs a rest/);
        await this.settled(this.told.length + 1);
        this.told.push([]);
        await this.check("a message that fails");
        await this.deleteFrom(this.told.length - 1);
    }
    async newChat() {
        const before = await this.page.evaluate(() => SillyTavern.getContext().chatId);
        await this.option("option_start_new_chat");
        await this.page.locator("dialog.popup[open] .popup-button-ok").click();
        await this.page.waitForFunction((old) => SillyTavern.getContext().chatId !== old, before);
        this.told = [[]];
        await this.settled(1);
    }
    // As docs/sillytavern.md gives them.
    async hints(areOn) {
        await this.page.evaluate((on) => {
            const headers = 'X-Gen-Type: "{{lastGenerationType}}"\nX-Swipe: "{{currentSwipeId}}"\nX-Mid: "{{lastMessageId}}"';
            SillyTavern.getContext().chatCompletionSettings.custom_include_headers = on ? headers : "";
        }, areOn);
    }
    async edit(id, change) {
        const message = this.page.locator(`#chat .mes[mesid="${id}"]`);
        await message.hover();
        await message.locator(".mes_edit").click();
        const area = message.locator("#curEditTextarea");
        await area.fill(change(await area.inputValue()));
        await message.locator(".mes_edit_done").click();
        await this.page.waitForTimeout(300);
    }
    async deleteFrom(id) {
        const page = this.page;
        await page.locator("#options_button").click();
        await page.locator("#option_delete_mes").click();
        await page.locator(`#chat .mes[mesid="${id}"] .del_checkbox`).click();
        await page.locator("#dialogue_del_mes_ok").click();
        this.told.length = id;
        await this.settled(id);
    }
    async branch(id) {
        const message = this.page.locator(`#chat .mes[mesid="${id}"]`);
        const before = await this.page.evaluate(() => SillyTavern.getContext().chatId);
        await message.hover();
        await message.locator(".extraMesButtonsHint").click();
        await message.locator(".mes_create_branch").click();
        await this.page.waitForFunction((old) => SillyTavern.getContext().chatId !== old, before);
        this.told = this.told.slice(0, id + 1);
        await this.settled(id + 1);
    }
    async option(name) {
        await this.page.locator("#options_button").click();
        await this.page.locator(`#${name}`).click();
    }
    async check(step) {
        const chat = await this.page.evaluate(() => SillyTavern.getContext().chat.map((each) => [each.mes, ...(each.swipes ?? [])]));
        const shown = await this.page.locator("#chat").innerText();
        for (const word of blockWords) {
            assert.ok(!shown.includes(word), `${step}: the chat shows ${word}`);
            assert.ok(!JSON.stringify(chat).includes(word), `${step}: the chat holds ${word}`);
        }
        const expected = this.told.flat();
        assert.deepEqual(await server.state(this.campaign, "/stat_data/log"), expected, `${step}: the state`);
        assert.equal(await server.state(this.campaign, "/stat_data/看守/油/0"), 40 - expected.length, `${step}: the oil`);
    }
    async toast() {
        const found = this.page.locator("#toast-container .toast-error").last();
        await found.waitFor();
        const text = await found.innerText();
        await this.page.evaluate(() => toastr.clear());
        return text;
    }
}

async function playAChat(player) {
    await player.send("I knock at the door.");
    await player.send("I come in.");
    const first = player.told.at(-1);
    for (let i = 0; i < 3; ++i) {
        await player.swipe();
    }
    say("three swipes");
    for (let i = 0; i < 3; ++i) {
        await player.swipeBack();
    }
    player.told[player.told.length - 1] = first;
    await player.send("I sit down.");
    say("back to the first swipe");
    await player.edit(player.told.length - 1, (text) => text.replace(/\d+/, "seven"));
    await player.send("I ask for tea.");
    await player.edit(player.told.length - 1, () => "Not a word of this was told before.");
    await player.send("I drink.");
    say("edit a little, and rewrite");
    await player.deleteFrom(player.told.length - 2);
    await player.send("I ask for coffee.");
    await player.deleteFrom(player.told.length - 4);
    await player.send("I wait.");
    say("delete");
    await player.ask("option_regenerate", () => (player.told[player.told.length - 1] = [replies]));
    await player.ask("option_continue", () => player.told.at(-1).push(replies));
    await player.send("I listen.");
    say("regenerate, continue");
    await player.stop("I ask for a story.");
    await player.send("I ask for a shorter one.");
    if (player.isStreamed) {
        await player.stop("I ask for a song.");
        await player.ask("option_continue", () => player.told.at(-1).push(replies));
        await player.send("I sing along.");
    }
    say("stop, and continue what was stopped");
    await player.fail();
    say("errors are shown, and change nothing");
    const summary = await player.page.evaluate(() => SillyTavern.getContext().generateQuietPrompt({ quietPrompt: "Summarise the story." }));
    assert.ok(!blockWords.some((word) => summary.includes(word)), summary);
    await player.check("quiet");
    await player.option("option_impersonate");
    await player.page.waitForFunction(() => !document.body.dataset.generating && document.querySelector("#send_textarea").value.includes("The wind"));
    const words = await player.page.locator("#send_textarea").inputValue();
    assert.ok(!blockWords.some((word) => words.includes(word)), words);
    await player.page.locator("#send_textarea").fill("");
    await player.check("impersonate");
    await player.send("I go to sleep.");
    say("quiet, impersonate");
    const main = player.told;
    await player.branch(4);
    await player.send("I look for a boat.");
    await player.send("I row away.");
    const branch = player.told;
    await player.option("option_back_to_main");
    player.told = main;
    await player.settled(main.length);
    await player.send("I wake up.");
    assert.notDeepEqual(player.told.flat(), branch.flat());
    say("branch, and back");
}

// Without a campaign each chat gets one of its own, and keeps it.
async function pointAndPlay(player) {
    const campaigns = async () => (await server.call("GET", "/api/v1/campaigns")).campaigns.map((each) => each.id);
    await player.connect(`${server.url}/v1`, "mock");
    await player.drawer("#sys-settings-button .drawer-icon", false);
    for (const words of ["I climb the cliff.", "I swim ashore."]) {
        const before = await campaigns();
        await player.write(words);
        await player.settled(3);
        const own = (await campaigns()).filter((each) => !before.includes(each));
        assert.equal(own.length, 1, `${words}: ${own}`);
        await player.write("I look back.");
        await player.settled(5);
        const { turns } = await server.call("GET", `/api/v1/campaigns/${own[0]}/history`);
        assert.deepEqual(turns.map((each) => each.said).filter((each) => each).sort(), [words, "I look back."].sort());
        await player.newChat();
    }
}

// ----

const server = await Arbiter.start(program, folder, "--upstream", upstream.url, "--model", "mock");
const tavern = await Tavern.start();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

const say = (words) => console.log(`ok: ${words}`);

// A campaign of the card, and the card in the client, connected to the campaign.
async function begin(player, campaign, written) {
    const file = path.join(folder, `${campaign}.json`);
    writeFileSync(file, JSON.stringify(card(written)));
    const form = new FormData();
    form.set("card", new Blob([JSON.stringify(card(written))], { type: "application/json" }), "card.json");
    form.set("id", campaign);
    const made = await fetch(`${server.url}/api/v1/campaigns`, { method: "POST", body: form });
    assert.equal(made.status, 201, await made.text());
    player.campaign = campaign;
    await player.connect(`${server.url}/v1`, `campaign:${campaign}`);
    await player.importCard(file);
}

const mira = { name: "Mira", greeting: "The lamp turns. Who is there?", about: "Mira keeps a lighthouse.", book: "Lighthouse" };

// The pictures of docs/sillytavern.md, in both languages.
async function takePictures() {
    const languages = [
        ["en", "en-US", "Bob", mira, "I knock, and ask for a place by the fire.",
            "Mira looks you over, then steps aside. \"Come in before the lamp goes out.\" She pours the last of the oil and points to the bench.",
            "_.set('看守.油', 39);//the lamp burns"],
        ["zh", "zh-CN", "阿明", { name: "米拉", greeting: "灯塔的光缓缓转动。“外面是谁？”", about: "米拉看守着一座灯塔。", book: "灯塔" }, "我敲了敲门，想进去烤烤火。",
            "米拉打量了你一眼，侧身让开。“快进来，别让灯灭了。”她倒上最后一点油，指了指火边的长凳。",
            "_.set('看守.油', 39);//灯在烧油"],
    ];
    for (const [language, locale, user, written, said, told, command] of languages) {
        const player = await Player.open(tavern, browser, { locale, user });
        const save = (name, area) => area.screenshot({ path: path.join(pictures, `sillytavern-${name}-${language}.png`) });
        await begin(player, "mira", written);
        await player.drawer("#rightNavDrawerIcon", false);
        await player.drawer("#sys-settings-button .drawer-icon", true);
        await player.page.locator("#custom_api_url_text").fill("http://127.0.0.1:7777/v1");
        await player.page.waitForTimeout(6000); // notes of the client go away
        await save("connect", player.page.locator("#rm_api_block"));
        await player.page.locator("#custom_api_url_text").fill(`${server.url}/v1`);
        await player.drawer("#sys-settings-button .drawer-icon", false);
        await player.choose(written.name);
        await player.streaming(true);
        await player.page.evaluate((name) => SillyTavern.getContext().executeSlashCommandsWithOptions(`/persona-set mode=temp ${name}`), user);
        await player.page.setViewportSize({ width: 1100, height: 460 });
        next = { text: `${told}\n<UpdateVariable>${command}</UpdateVariable>` };
        await player.write(said);
        await player.settled(3);
        await player.page.waitForTimeout(6000);
        await save("chat", player.page.locator("#sheld"));
        await player.page.context().close();
        await server.call("DELETE", "/api/v1/campaigns/mira");
    }
}

try {
    if (pictures) {
        await takePictures();
    } else {
        const player = await Player.open(tavern, browser);
        await begin(player, "mira", mira);
        say("connected; the list of models has the campaign; the card is imported");
        await player.choose(mira.name);
        for (const [isStreamed, hasHints] of [[true, false], [false, false], [true, true]]) {
            await player.streaming(isStreamed);
            await player.hints(hasHints);
            await playAChat(player);
            say(`a chat, ${isStreamed ? "streamed" : "not streamed"}, ${hasHints ? "with" : "without"} hints`);
            await player.newChat();
        }
        await pointAndPlay(player);
        say("chats without a campaign");
    }
} finally {
    await browser.close();
    await tavern.stop();
    await server.stop();
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
}
