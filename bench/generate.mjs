// Makes what the benchmark reads: Chinese role-play saves of about 4 KB to 10 MB, and the texts of
// texts.mjs and replies.mjs.
//
// The same bytes on every machine and in every run: the only randomness is the generator of
// random.mjs, seeded by the name of the size. All sizes have one shape; what grows is the number of people,
// of things they carry and remember, of world flags and of log entries. No key looks like an
// integer, because JavaScript would move such keys to the front and outputs would differ.
//
// As a program: `node bench/generate.mjs` writes build/bench-data/ and prints what it wrote.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { random_from } from './random.mjs';
import { make_replies, separator } from './replies.mjs';
import { make_texts } from './texts.mjs';
import { make_worlds } from './worlds.mjs';

export const sizes = {
    '4k': 4_100,
    '10k': 10_000,
    '58k': 58_000,
    '860k': 860_000,
    '1m': 1_000_000,
    '10m': 10_000_000,
};

const hero = '林默';
// Longer than the 14 bytes that fit into a value: the dearer case is the one that is measured.
const friend = '慕容雪·白鹿书院女先生';

// A number at depth 6, there in every size: what is set by the benchmark.
export const path = ['人物', friend, '背包', '物品', '疗伤药', '数量'];

// Ten numbers and texts that one reply of a model typically changes, there in every size.
export const turn = [
    path,
    ['人物', friend, '属性', '生命'],
    ['人物', friend, '关系', hero, '好感'],
    ['人物', friend, '背包', '铜钱'],
    ['人物', hero, '属性', '内力'],
    ['人物', hero, '所在'],
    ['世界', '时间', '时辰'],
    ['世界', '天气', '气温'],
    ['任务', 0, '目标', 0, '进度'],
    ['标记', '已到达青石镇'],
];

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜', '上官', '欧阳', '诸葛', '司马', '南宫', '慕容'];
const given = [...'云风雪月霜华明远山川若水清扬子墨怀瑾静姝婉宁长安青松玉衡天枢北辰'];
const titles = ['青云宗外门弟子', '城南药铺掌柜', '镇北军百夫长', '听雨楼说书人', '漕帮香主', '白鹿书院学生', '无名游侠'];
const places = ['青石镇', '落霞山', '白鹿书院', '镇北关', '听雨楼', '幽冥谷', '南海渡口', '长安东市'];
const goods = ['铁剑', '干粮', '火折子', '疗伤药', '麻绳', '古旧地图', '玉佩', '酒葫芦', '飞刀', '解毒丹', '羊皮卷轴', '银针', '玄铁令牌', '夜行衣', '桃木符', '九转还魂丹（残）', '青铜罗盘', '百年老参'];
const qualities = ['凡品', '良品', '上品', '绝品'];
const clauses = ['他在雨夜里独自赶路', '远处传来断断续续的钟声', '没有人知道那封信是谁写的', '剑光一闪，灯火俱灭', '她把旧账翻了出来，却只说了一句“算了”', '炉上的药已经煎了三个时辰', '掌柜压低声音说，城门今晚不开', '两人约定开春之后在渡口再见', '山路塌了一半，只能绕行', '他始终记得那年冬天欠下的人情'];

function sentence(random, count) {
    let text = '';
    for (let i = 0; i < count; ++i) {
        text += random.pick(clauses) + (i + 1 < count ? '，' : '。');
    }
    // Some text that must be escaped, as speech and paragraphs in real saves are.
    if (random.chance(0.1)) {
        text += '\n"' + random.pick(clauses) + '"';
    }
    return text;
}

function item(random) {
    const made = {
        数量: random.between(1, 20),
        品质: random.pick(qualities),
        重量: random.between(1, 400) / 20,
    };
    if (random.chance(0.3)) {
        made.词条 = [random.pick(['锋利', '坚固', '淬毒', '轻盈']), random.between(1, 9)];
    }
    if (random.chance(0.2)) {
        made.绑定 = random.chance(0.5);
    }
    return made;
}

function backpack(random, count) {
    const items = { 疗伤药: item(random) };
    for (let i = 1; Object.keys(items).length < count; ++i) {
        const name = random.pick(goods);
        items[i < 2 * goods.length ? name : `${name}·第${i}件`] = item(random);
    }
    return { 铜钱: random.between(0, 5000), 容量: 20 + count, 物品: items };
}

function memory(random, turn_number) {
    return { 回合: turn_number, 重要: random.chance(0.2), 内容: sentence(random, 1) };
}

function person(random, names, { items, memories }) {
    const relations = {};
    for (let i = random.between(1, 2); i > 0; --i) {
        relations[random.pick(names)] = { 好感: random.between(-100, 100), 信任: random.between(0, 100) / 100 };
    }
    const list = [];
    for (let i = 0; i < memories; ++i) {
        list.push(memory(random, random.between(1, 900)));
    }
    return {
        年龄: random.between(12, 80),
        性别: random.pick(['男', '女']),
        在世: random.chance(0.95),
        师承: random.chance(0.5) ? null : random.pick(titles),
        所在: random.pick(places),
        描述: sentence(random, random.between(1, 2)),
        属性: {
            生命: random.between(1, 100),
            内力: random.between(0, 100),
            力量: random.between(1, 20),
            敏捷: random.between(1, 20),
            悟性: random.between(0, 1000) / 10,
        },
        背包: backpack(random, items),
        关系: relations,
        记忆: list,
    };
}

function unused_name(random, used) {
    for (let attempt = 0; ; ++attempt) {
        let name = random.pick(surnames) + random.pick(given) + (random.chance(0.7) ? random.pick(given) : '');
        if (random.chance(0.3) || attempt > 3) {
            name += '·' + random.pick(titles);
        }
        if (attempt > 8) {
            name += `（${attempt}）`;
        }
        if (!used.has(name)) {
            used.add(name);
            return name;
        }
    }
}

function flags(random, count) {
    const made = { 已到达青石镇: 1 };
    for (let i = 1; i < count; ++i) {
        const name = `${random.pick(places)}_事件${i}`;
        made[name] = random.pick([true, false, null, random.between(0, 99)]);
    }
    return made;
}

function quest(random, number) {
    return {
        名称: `第${number}卷：${random.pick(clauses)}`,
        状态: random.pick(['进行中', '已完成', '已失败']),
        奖励: { 铜钱: random.between(10, 500), 经验: random.between(1, 90) * 10 },
        目标: [{ 说明: random.pick(clauses), 进度: random.between(0, 10), 共: 10 }],
    };
}

// A state with `people` people; everything else follows from that number.
function state_of(label, people) {
    const random = random_from(label);
    const used = new Set([hero, friend]);
    const names = [hero];
    // In the middle of the map, so that neither end is favoured.
    for (let i = 1; i < people; ++i) {
        names.push(i === Math.max(1, people >> 1) ? friend : unused_name(random, used));
    }
    // A person's inventory grows slowly, as favourites do in a long campaign.
    const digits = Math.log2(people);
    const everybody = {};
    for (const name of names) {
        const main = name === hero || name === friend;
        everybody[name] = person(random, names, {
            items: main ? 2 + Math.round(digits * digits * 0.3) : random.between(1, 2 + Math.floor(digits / 5)),
            memories: main ? Math.round(people / 4) + 1 : random.between(0, 2),
        });
    }
    everybody[friend].关系[hero] = { 好感: 35, 信任: 0.62 };
    return {
        版本: '2.4.1',
        世界: {
            时间: { 年: 317, 月: 4, 日: 12, 时辰: 7 },
            天气: { 名称: '小雨', 气温: 11.5, 风力: 3 },
            地点: Object.fromEntries(places.slice(0, Math.min(places.length, people)).map((place) => [place, { 危险: random.between(0, 10), 说明: sentence(random, 1) }])),
        },
        人物: everybody,
        任务: Array.from({ length: Math.ceil(people / 8) }, (_, i) => quest(random, i + 1)),
        标记: flags(random, Math.ceil(people * 0.8)),
        日志: Array.from({ length: Math.ceil(people / 2) }, (_, i) => (i % 5 === 4 ? { 回合: i, 掷骰: [random.between(1, 20), random.between(1, 20)], 结果: sentence(random, 1) } : sentence(random, 1))),
    };
}

// The state whose text comes nearest to `bytes`.
export function make_state(label, bytes) {
    const text_of = (people) => JSON.stringify(state_of(label, people));
    const length_of = (people) => Buffer.byteLength(text_of(people));
    let low = 2;
    let high = 4;
    while (length_of(high) < bytes) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (length_of(middle) < bytes) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const below = bytes - length_of(low);
    const above = length_of(high) - bytes;
    const people = below < above ? low : high;
    return { people, text: text_of(people) };
}

// Writes all states and texts, and manifest.json, which names them and the paths. What this very
// program has already written is left as it is.
export function generate(folder) {
    const manifest_file = join(folder, 'manifest.json');
    const hash = createHash('sha256');
    for (const source of ['generate.mjs', 'random.mjs', 'replies.mjs', 'texts.mjs', 'worlds.mjs']) {
        hash.update(readFileSync(new URL(source, import.meta.url)));
    }
    const generator = hash.digest('hex');
    if (existsSync(manifest_file)) {
        const known = JSON.parse(readFileSync(manifest_file, 'utf8'));
        if (known.generator === generator && Object.values(known.files).every(({ file }) => existsSync(join(folder, file)))) {
            return known;
        }
    }
    mkdirSync(folder, { recursive: true });
    const files = {};
    for (const [label, bytes] of Object.entries(sizes)) {
        const { people, text } = make_state(label, bytes);
        const file = `state-${label}.json`;
        writeFileSync(join(folder, file), text);
        files[label] = { file, bytes: Buffer.byteLength(text), people };
    }
    for (const [label, { text, ...facts }] of Object.entries(make_texts(make_state('58k', sizes['58k']).text))) {
        const file = `${label}.txt`;
        writeFileSync(join(folder, file), text);
        files[label] = { file, bytes: Buffer.byteLength(text), ...facts };
    }
    const replies = make_replies(hero, friend);
    writeFileSync(join(folder, 'replies.txt'), replies.text);
    files.replies = { file: 'replies.txt', bytes: Buffer.byteLength(replies.text) };
    const { worlds, replies: turns } = make_worlds(separator);
    for (const [label, text] of Object.entries(worlds)) {
        writeFileSync(join(folder, `${label}.json`), text);
        // Their own replies, and none of the paths that the other states have.
        files[label] = { file: `${label}.json`, bytes: Buffer.byteLength(text), replies: 'world-replies.txt' };
    }
    writeFileSync(join(folder, 'world-replies.txt'), turns);
    files['world-replies'] = { file: 'world-replies.txt', bytes: Buffer.byteLength(turns) };
    const manifest = { generator, files, path, turn, replies: replies.commands };
    writeFileSync(manifest_file, JSON.stringify(manifest, null, 2) + '\n');
    return manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'build', 'bench-data');
    for (const [label, { file, bytes, ...facts }] of Object.entries(generate(folder).files)) {
        console.log(`${label}: ${bytes} bytes ${JSON.stringify(facts)}`);
    }
}
