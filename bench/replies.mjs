// Makes the replies that the benchmark judges: about 2 KB of story with eight commands, as a model
// writes them for MVU. Their paths are there in every state of generate.mjs.

import { random_from } from './random.mjs';
import { chinese, paragraph } from './texts.mjs';

const count = 16;
const story_bytes = 1_200;
// Between two replies in their file; no text has it.
export const separator = '\f\n';

const places = ['青石镇', '落霞山', '白鹿书院', '镇北关', '听雨楼', '幽冥谷'];
const reasons = ['受了轻伤', '分给众人', '说了真话', '买下消息', '运功疗伤', '一路向东', '天色渐晚', '线索对上了'];

// The commands of one reply: each adds to a path or sets it.
function commands_of(random, hero, friend) {
    const other_than = (list, not) => random.pick(list.filter((each) => each !== not));
    return [
        { op: 'add', path: ['人物', friend, '背包', '物品', '疗伤药', '数量'], value: random.between(1, 9) },
        { op: 'add', path: ['人物', friend, '属性', '生命'], value: -random.between(1, 9) },
        { op: 'set', path: ['人物', friend, '关系', hero, '好感'], value: random.between(100, 999) },
        { op: 'add', path: ['人物', friend, '背包', '铜钱'], value: random.between(1, 50) },
        { op: 'add', path: ['人物', hero, '属性', '内力'], value: random.between(1, 9) },
        { op: 'set', path: ['人物', hero, '所在'], value: `${other_than(places, '')}·${random.between(100, 999)}号` },
        { op: 'add', path: ['世界', '时间', '时辰'], value: 1 },
        { op: 'set', path: ['任务', 0, '目标', 0, '进度'], value: random.between(100, 999) },
    ];
}

function path_text(path) {
    return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : (i > 0 ? '.' : '') + step)).join('');
}

function reply_of(random, commands) {
    let story = '';
    while (Buffer.byteLength(story) < story_bytes) {
        story += paragraph(random, chinese);
    }
    const lines = commands.map(({ op, path, value }, i) =>
        `_.${op}('${path_text(path)}', ${typeof value === 'string' ? `'${value}'` : value});//${reasons[i]}`);
    return `${story}<UpdateVariable>\n${lines.join('\n')}\n</UpdateVariable>\n`;
}

// The replies, and of each the commands that it holds.
export function make_replies(hero, friend) {
    const random = random_from('replies');
    const commands = Array.from({ length: count }, () => commands_of(random, hero, friend));
    return { text: commands.map((each) => reply_of(random, each)).join(separator), commands };
}

// Applies a command with plain assignments.
export function carry_out(root, { op, path, value }) {
    const holder = path.slice(0, -1).reduce((at, step) => at[step], root);
    const last = path.at(-1);
    holder[last] = op === 'add' ? holder[last] + value : value;
}
