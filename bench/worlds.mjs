// Makes the worlds that the benchmark plays under the shipped rulebook: saves of the memory dialect
// with ten people, or with a thousand more whom no reply speaks of, and replies for both.

import { random_from } from './random.mjs';
import { chinese, paragraph } from './texts.mjs';

const known = 10;
export const further = 1_000;
const count = 16;
const story_bytes = 1_400;

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜'];
const given = [...'云风雪月霜明远山川若水清扬子墨怀瑾静姝婉宁长安青松玉衡天枢北辰'];
const moods = ['平静', '警惕', '受了轻伤', '疲惫', '跃跃欲试', '心事重重'];
const things = ['疗伤药', '火折子', '古旧地图', '干粮', '麻绳', '银针', '解毒丹', '玉佩'];

function names_of(random, number) {
    const names = new Set();
    while (names.size < number) {
        names.add(random.pick(surnames) + random.pick(given) + random.pick(given) + (names.size < known ? '' : `·${names.size}`));
    }
    return [...names];
}

function person(random) {
    return {
        描述: random.pick(chinese.clauses),
        状态: random.pick(moods),
        好感: random.between(0, 100),
        记忆: Array.from({ length: random.between(1, 4) }, () => random.pick(chinese.clauses)),
        _filter: true,
    };
}

const names = names_of(random_from('world names'), known + further);

// The rulebook's blueprint is put under it by whoever plays it.
function world_of(people) {
    const random = random_from('world');
    const npc = Object.fromEntries(names.slice(0, people).map((name) => [name, person(random)]));
    const place = () => ({ 描述: random.pick(chinese.clauses), resources: { 木材: ['5', 100], 铁: ['2', 40] } });
    return {
        stat_data: {
            纪年: ['无', '年号与年份'],
            日期: ['03月12日', '今天的日期'],
            星期: ['星期三', '今天是星期几'],
            时间: ['08:00', '现在的时刻'],
            world_shard: {
                name: ['雾都', '所在世界的名字'],
                level: ['低', '世界的层级'],
                task: { objective: ['查明真相', '任务目标'], progress: [10, '任务进度，百分比'], time_limit: [30, '任务总时限，天'], time_left: [28, '任务剩余时限，天'], start_date: '03月10日' },
            },
        },
        assa_data: {
            global_set: { npc, settings: {}, 背包: Object.fromEntries(things.map((thing) => [thing, { num: random.between(3, 20), 描述: random.pick(chinese.clauses) }])) },
            map: { 全局地点表: { 青石镇: place(), 落霞山: place() }, 主要地点表: { 听雨楼: place() } },
            summary: { small: Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`第${i}幕`, random.pick(chinese.clauses)])), big: {} },
        },
    };
}

function reply_of(random, number) {
    let story = '';
    while (Buffer.byteLength(story) < story_bytes) {
        story += random.chance(0.3) ? `${names[random.between(0, 3)]}没有说话。` : paragraph(random, chinese);
    }
    const someone = names[random.between(0, known - 1)];
    const lines = [
        `set_status('时间', '${String(9 + (number % 12)).padStart(2, '0')}:30')`,
        `set_status('world_shard.task.progress', ${random.between(11, 90)})`,
        `set_attribute('属性段.生理属性.力量.基础', ${random.between(3, 12)})`,
        `set_attribute('衍生属性段.生命值.当前值', ${random.between(20, 89)})`,
        `set_attribute('货币段.积分', ${random.between(1, 999)})`,
        `memory('global_set.npc.${someone}', '状态', '${random.pick(moods)}·${number}')`,
        `memory('global_set.背包.${random.pick(things)}', 'num', ${random.between(30, 90)})`,
        `memory('summary.small', '第${6 + number}幕', '${random.pick(chinese.clauses)}')`,
    ];
    return `${story}<updateMemory>\n${lines.join('\n')}\n</updateMemory>\n`;
}

// Label -> text; `replies` beside them are for both worlds.
export function make_worlds(separator) {
    const random = random_from('world replies');
    return {
        worlds: { 'world-10': JSON.stringify(world_of(known)), 'world-1010': JSON.stringify(world_of(known + further)) },
        replies: Array.from({ length: count }, (_, i) => reply_of(random, i)).join(separator),
    };
}
