// Makes the texts that the benchmark reads: what models write. The same bytes everywhere, as in
// generate.mjs.
//
//   narrative-zh, narrative-en   1 MB of story without a command, with dialogue, brackets, apostrophes
//   dense                        1 MB of story with one command in every 200 bytes, of all dialects
//   hostile                      1 MB of fragments that begin or end something, in random order
//   truncated, relaxed           a save of 58 KB, broken off at 52 KB; and as JavaScript would
//                                write it: bare keys, single quotes, comments, trailing commas
//   keywords                     10,000 names of people, places and things, one a line; an empty
//                                line; and 16 KB of story in which 30 of them occur

import { random_from } from './random.mjs';

const text_bytes = 1_000_000;
const bytes_of_command = 200;
const truncated_bytes = 52_000;
const keyword_count = 10_000;
const window_bytes = 16 * 1024;
const cast = 30;  // names that occur in the window

export const chinese = {
    clauses: [
        '雨从傍晚一直下到深夜', '林默把斗笠压低了些，沿着青石板路往东走', '客栈里只剩下两盏灯', '掌柜拨着算盘，头也没抬',
        '她把药碗放在桌上，热气慢慢散开', '远处的更鼓敲了三下', '山门前的石狮缺了一只耳朵', '那封信他已经读了不下二十遍',
        '风吹得窗纸哗哗作响', '没有人知道渡口的船为什么停了三天', '剑还在鞘里，可是屋里的人都退了一步', '灶上的水开了又凉',
        '他想起师父临走前说过的话', '街上的人渐渐多了起来', '阿黄趴在门槛上，尾巴一下一下地扫着地', '月光落在院子里，像一层薄霜',
        '赶车的老汉打了个哈欠', '药铺的伙计一路小跑过来', '这条路通往落霞山的后崖', '炉子里的炭已经发白', '账本上的数目对不上',
        '两个人谁也没有先开口', '少年把铜钱一枚一枚排在桌上', '檐下的风铃忽然不响了', '他数了数，箱子里少了 3 件东西',
    ],
    speech: ['你来晚了。', '这件事，还是不要再提了吧？', '城门今晚不开，客官另想办法！', '我知道你为什么而来。', '十两银子，一文都不能少。', '先喝口热茶，慢慢说……', '他没有回来，对不对？', '当心脚下。'],
    said: ['他低声说', '掌柜笑道', '她摇了摇头', '老人叹了口气', '少年抢着说'],
    aside: ['（他其实一夜没睡）', '（后来才知道那是假的）', '(完)', '【第三日·清晨】', '[旧信]', '——至少看上去是这样——'],
    quotes: [['“', '”'], ['“', '”'], ['「', '」'], ['"', '"']],
    comma: '，', stop: '。', space: '',
};

const english = {
    clauses: [
        'The rain hadn\'t stopped since dusk', 'Lin Mo pulled his hat lower and kept walking east along the wet stones', 'only two lamps were still burning in the inn',
        'the innkeeper didn\'t look up from his abacus', 'she set the bowl down and let the steam drift between them', 'somewhere far away a drum sounded three times',
        'one of the stone lions at the gate had lost an ear', 'he\'d read that letter at least twenty times', 'the wind rattled the paper in the window frames',
        'nobody knew why the ferry hadn\'t run for three days', 'the sword was still in its sheath, and yet everyone in the room took a step back', 'it was the old man\'s turn to be silent',
        'the street slowly filled with people', 'the dog lay across the threshold, its tail brushing the floor', 'moonlight covered the yard like a thin layer of frost',
        'this was the road that led to the cliffs behind the mountain', 'the numbers in the ledger didn\'t add up', 'neither of them wanted to be the first to speak',
        'the boy laid his coins on the table, one by one', 'the little bell under the eaves fell quiet', 'he counted again: three things were missing from the chest',
    ],
    speech: ['You\'re late.', 'Let\'s not talk about that again, shall we?', 'The gate stays shut tonight. Find another way!', 'I know why you\'ve come.', 'Ten taels, and not a coin less.', 'Drink something warm first, then tell me...', 'He isn\'t coming back, is he?', 'Mind your step.'],
    said: ['he said quietly', 'the innkeeper laughed', 'she shook her head', 'the old man sighed', 'the boy cut in'],
    aside: ['(he hadn\'t slept at all)', '(only later did they learn it was false)', '[an old letter]', '-- or so it seemed --', '*a long pause*'],
    quotes: [['“', '”'], ['"', '"'], ['"', '"']],
    comma: ', ', stop: '. ', space: ' ',
};

function sentence(random, words) {
    let text = random.pick(words.clauses);
    for (let i = random.between(0, 2); i > 0; --i) {
        text += words.comma + random.pick(words.clauses);
    }
    if (random.chance(0.06)) {
        text += words.space + random.pick(words.aside);
    }
    return text[0].toUpperCase() + text.slice(1) + words.stop;
}

export function paragraph(random, words) {
    let text = '';
    for (let i = random.between(2, 6); i > 0; --i) {
        if (random.chance(0.3)) {
            const [open, close] = random.pick(words.quotes);
            text += open + random.pick(words.speech) + close + words.space + random.pick(words.said) + words.stop;
        } else {
            text += sentence(random, words);
        }
    }
    return text.trimEnd() + '\n\n';
}

function narrative(label, words) {
    const random = random_from(label);
    let text = '';
    let bytes = 0;
    while (bytes < text_bytes) {
        const next = paragraph(random, words);
        text += next;
        bytes += Buffer.byteLength(next);
    }
    return text;
}

const names = ['林默', '慕容雪', '阿黄', '掌柜', '赶车老汉'];
const places = ['青石镇', '落霞山', '白鹿书院', '南海渡口'];
const fields = ['生命', '内力', '好感', '体力', '铜钱'];

// One block of commands and how many it holds.
const blocks = [
    (random) => {
        const old = random.between(0, 90);
        return { text: `_.set('${random.pick(names)}.属性.${random.pick(fields)}', ${old}, ${old + random.between(1, 9)});//${random.pick(chinese.clauses)}\n`, count: 1 };
    },
    (random) => ({ text: `_.add('${random.pick(names)}.背包.铜钱', ${random.between(-50, 50)});\n_.set("世界.地点", "${random.pick(places)}");//启程\n`, count: 2 }),
    (random) => {
        const list = Array.from({ length: random.between(1, 3) }, () => random.chance(0.5)
            ? { op: 'assign', path: ['人物', random.pick(names), '属性', random.pick(fields)], value: random.between(0, 100) }
            : { op: 'push', path: ['日志'], value: { 地点: random.pick(places), 事件: random.pick(chinese.clauses), 轮: random.between(1, 99) } });
        const text = list.length === 1 ? JSON.stringify(list[0]) : JSON.stringify(list, null, random.chance(0.5) ? 2 : 0);
        return { text: '```json\n' + text + '\n```\n', count: list.length };
    },
    (random) => {
        const list = Array.from({ length: random.between(1, 3) }, () => ({
            action: 'set', key: `character.saveData.${random.pick(names)}.${random.pick(fields)}`, value: random.between(0, 100), options: { reason: random.pick(chinese.clauses) },
        }));
        return { text: '```json\n' + JSON.stringify(list) + '\n```\n', count: list.length };
    },
    (random) => {
        const lines = Array.from({ length: random.between(2, 4) }, () => random.chance(0.5)
            ? `[SET, ${random.pick(names)}.位置, ${random.pick(places)}]` : `[ADD, ${random.pick(names)}.${random.pick(fields)}, ${random.between(1, 9)}]`);
        return { text: `<variable_update>\n${lines.join('\n')}\n</variable_update>\n`, count: lines.length };
    },
    (random) => ({ text: `set_attribute('${random.pick(names)}.${random.pick(fields)}', ${random.between(0, 100)});\nmemory('summary.${random.pick(places)}', '见闻', '${random.pick(chinese.clauses)}');\n`, count: 2 }),
];

function dense() {
    const random = random_from('dense');
    let text = '';
    let bytes = 0;
    let commands = 0;
    const add = (next) => {
        text += next;
        bytes += Buffer.byteLength(next);
    };
    while (bytes < text_bytes) {
        const block = random.pick(blocks)(random);
        add(block.text + '\n');
        commands += block.count;
        while (bytes < commands * bytes_of_command) {
            add(paragraph(random, chinese));
        }
    }
    return { text, commands };
}

// Beginnings and ends of everything that a reader looks for, in random order: quotes, tags, calls,
// fences and brackets that are not closed, or not by the right ones.
const fragments = ['<think>', '</think>', '<UpdateVariable>', '</UpdateVariable>', '<JSONPatch>', '<tool_call>', '<!--', '-->', '“', '”', '「', '『', '"', '\'', '`', '```json\n', '```\n', '\n', '\n\n',
    '_.set(', '_.set(\'a\',1);', 'memory(', 'memory([SET, a, 1]', '[SET, a, 1]', '{"op":', '{"op":"assign","path":["a"],"value":1}', '[{"action":"set",', '{', '}', '[', ']', '(', ')', '\\', ' a ', '，'];
function hostile() {
    const random = random_from('hostile');
    let text = '';
    let bytes = 0;
    while (bytes < text_bytes) {
        const next = random.pick(fragments);
        text += next;
        bytes += Buffer.byteLength(next);
    }
    return { text };
}

// The first members of a document, without the brackets that would close it.
function truncated(text) {
    const bytes = Buffer.from(text);
    return bytes.subarray(0, bytes.lastIndexOf(',"', truncated_bytes)).toString('utf8');
}

function relaxed(text) {
    const random = random_from('relaxed');
    const quoted = (string) => `'${JSON.stringify(string).slice(1, -1).replaceAll('\\"', '"').replaceAll('\'', '\\\'')}'`;
    const print = (value, indent) => {
        if (typeof value === 'string') {
            return quoted(value);
        }
        if (value === null || typeof value !== 'object') {
            return JSON.stringify(value);
        }
        const inner = indent + '  ';
        const [open, close] = Array.isArray(value) ? '[]' : '{}';
        const members = Object.entries(value).map(([key, member]) => inner +
            (Array.isArray(value) ? '' : /^[\p{L}_]+$/u.test(key) ? `${key}: ` : `${quoted(key)}: `) + print(member, inner) + ',' +
            (random.chance(0.05) ? ' // ' + random.pick(chinese.clauses) : '') + '\n');
        return members.length === 0 ? open + close : `${open}\n${members.join('')}${indent}${close}`;
    };
    return print(JSON.parse(text), '');
}

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳'];
const given = [...'默雪黄霜云月风清明远志文武英华国安平子君若兰梅竹菊松青白玄墨玉珠琴棋书画诗酒剑心念思怀瑾瑜珩璟岚峰江河海川天地星辰宇宙春夏秋冬晨曦暮晚初一二三小大老阿石山林木火金水土'];
const kinds = ['镇', '山', '书院', '渡口', '客栈', '剑', '令', '丹', '心法', '商会'];
const syllables = ['Al', 'be', 'ra', 'no', 'Kel', 'vin', 'Mor', 'ga', 'thi', 'el', 'Sa', 'ran', 'do', 'ria', 'Ty', 'us'];

// The keywords that a world of this size searches for in the last replies: mostly Chinese, two to
// five characters long, one in ten in Latin letters.
function keywords() {
    const random = random_from('keywords');
    const names = new Set();
    while (names.size < keyword_count) {
        const part = random.next();
        const two = random.pick(given) + (random.chance(0.7) ? random.pick(given) : '');
        names.add(part < 0.1 ? Array.from({ length: random.between(2, 4) }, () => random.pick(syllables)).join('')
            : part < 0.7 ? random.pick(surnames) + two
            : random.pick(given) + two + random.pick(kinds));
    }
    const list = [...names];
    const present = Array.from({ length: cast }, () => random.pick(list));
    let window = '';
    while (Buffer.byteLength(window) < window_bytes) {
        window += random.chance(0.5) ? `${random.pick(present)}看着${random.pick(present)}，没有说话。` : paragraph(random, chinese);
    }
    while (Buffer.byteLength(window) > window_bytes) {
        window = window.slice(0, -1);
    }
    return list.join('\n') + '\n\n' + window;
}

// Label -> text, and how many commands a reader must find in it.
export function make_texts(state) {
    return {
        'narrative-zh': { text: narrative('narrative-zh', chinese), commands: 0 },
        'narrative-en': { text: narrative('narrative-en', english), commands: 0 },
        dense: dense(),
        hostile: hostile(),
        truncated: { text: truncated(state) },
        relaxed: { text: relaxed(state) },
        keywords: { text: keywords() },
    };
}
