// The peers' side of the benchmark: what JavaScript programs use for the same work.
//
// Speaks the language of arbiter-bench (see arbiter_bench.cpp): one JSON request a line, one answer
// a line. bench/run.mjs starts one process for each case, so that no peer runs in machine code
// that V8 had to generalise for another. Start node with --expose-gc for the cases about memory.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import jsonpatch from 'fast-json-patch';
import { create } from 'mutative';
import { produce } from 'immer';
import { jsonrepair } from 'jsonrepair';
import lodash from 'lodash';

import { separator } from './replies.mjs';

// As in measure.h.
const batch_ns = 100_000;
const samples_min = 3;
// The value that a check sets, as in state_cases.cpp.
const mark = 424242;

const now_ns = () => Number(process.hrtime.bigint());

// Results go here, so that V8 cannot prove that nobody looks at them.
let kept = null;

// V8 optimises while code runs: before it is timed for the first time, an operation runs for
// `warm_ms`.
function measure(target_ms, warm_ms, operation) {
    const time_batch = (batch) => {
        const start = now_ns();
        for (let i = 0; i < batch; ++i) {
            kept = operation();
        }
        return now_ns() - start;
    };
    for (const until = now_ns() + warm_ms * 1e6; now_ns() < until; ) {
        time_batch(1);
    }
    let batch = 1;
    while (time_batch(batch) < batch_ns) {
        batch *= 2;
    }
    const samples = [];
    let spent = 0;
    while (spent < target_ms * 1e6 || samples.length < samples_min) {
        const took = time_batch(batch);
        samples.push(Math.round((took / batch) * 10) / 10);
        spent += took;
    }
    return { samples, batch };
}

function set_in(root, path, value) {
    let at = root;
    for (let i = 0; i + 1 < path.length; ++i) {
        at = at[path[i]];
    }
    at[path[path.length - 1]] = value;
}
const set_all = (root, turn, value) => turn.forEach((path) => set_in(root, path, value));

function keywords_of(text) {
    const end = text.indexOf('\n\n');
    return { keywords: text.slice(0, end).split('\n'), window: text.slice(end + 2) };
}

// Bytes of the JavaScript heap that each of `count` kept versions adds.
function retained(count, first, next) {
    const versions = [next(first, 0)];
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const start = now_ns();
    for (let i = 1; i <= count; ++i) {
        versions.push(next(versions[versions.length - 1], i));
    }
    const ns = (now_ns() - start) / count;
    globalThis.gc();
    const bytes = (process.memoryUsage().heapUsed - before) / count;
    kept = versions;
    kept = null;
    return { samples: [Math.round(ns)], batch: count, counters: { bytes_per_version: Math.round(bytes) } };
}

// The least that a program does with a reply whose state is a plain object, and whose every message
// keeps its own: a copy of all of it, commands found by a pattern, lodash for the paths, and the
// text that is stored. It judges nothing and records nothing.
const command_pattern = /_\.(add|set)\('([^']+)',\s*(.+?)\);/g;
function answer_reply(root, reply) {
    const next = structuredClone(root);
    for (const [, op, path, argument] of reply.matchAll(command_pattern)) {
        const value = JSON.parse(argument.startsWith('\'') ? `"${argument.slice(1, -1)}"` : argument);
        lodash.set(next, path, op === 'add' ? lodash.get(next, path) + value : value);
    }
    return { next, text: JSON.stringify(next) };
}

// A case makes from a document what it needs once, and gives the operation that is timed and the
// text that a check answers with. `number` is a new value each time, so that there is a change.
const cases = {
    // lodash: the snapshot of each turn that MVU keeps.
    clone_set: {
        prepare: ({ root, path }) => ({
            operation: (number) => lodash.set(lodash.cloneDeep(root), path, number),
        }),
    },
    // lodash.set without history.
    lodash_set: {
        prepare: ({ root, path }) => ({ operation: (number) => lodash.set(root, path, number) }),
    },
    // The version that is changed came from immer itself, as in a program that lives on it: all
    // frozen, which is its fast case.
    immer: {
        prepare: ({ root, path }) => {
            const base = produce(root, (draft) => set_in(draft, path, 0));
            return { operation: (number) => produce(base, (draft) => set_in(draft, path, number)) };
        },
    },
    immer_turn: {
        prepare: ({ root, turn }) => {
            const base = produce(root, (draft) => set_all(draft, turn, 0));
            return { operation: (number) => produce(base, (draft) => set_all(draft, turn, number)) };
        },
    },
    mutative: {
        prepare: ({ root, path }) => ({
            operation: (number) => create(root, (draft) => set_in(draft, path, number)),
        }),
    },
    mutative_turn: {
        prepare: ({ root, turn }) => ({
            operation: (number) => create(root, (draft) => set_all(draft, turn, number)),
        }),
    },
    structured_clone: { prepare: ({ root }) => ({ operation: () => structuredClone(root) }) },
    // Two versions that share nothing, as snapshots that were cloned or loaded do.
    patch_compare: {
        prepare: ({ root, path, text }) => {
            const after = JSON.parse(text);
            set_in(after, path, mark);
            return { operation: () => jsonpatch.compare(root, after) };
        },
    },
    // Two versions that share all but the path, as immer makes them: its fast case.
    patch_compare_shared: {
        prepare: ({ root, path }) => {
            const after = create(root, (draft) => set_in(draft, path, mark));
            return { operation: () => jsonpatch.compare(root, after) };
        },
    },
    // From a string that is already decoded, which a program that reads UTF-8 does not have.
    json_parse: { prepare: ({ text }) => ({ operation: () => JSON.parse(text) }) },
    json_parse_bytes: { prepare: ({ bytes }) => ({ operation: () => JSON.parse(bytes.toString('utf8')) }) },
    json_stringify: {
        prepare: ({ root }) => ({ operation: () => JSON.stringify(root), text_of: (result) => result }),
    },
    jsonrepair: { prepare: ({ text }) => ({ operation: () => JSON.parse(jsonrepair(text)) }) },
    // The usual ways of a script to find the names that occur: one search per name, or a
    // regular expression built from all names.
    includes: {
        prepare: ({ text }) => {
            const { keywords, window } = keywords_of(text);
            return {
                operation: () => keywords.filter((keyword) => window.includes(keyword)),
                text_of: (found) => JSON.stringify(found.map((keyword) => keywords.indexOf(keyword))),
            };
        },
    },
    keyword_regex: {
        prepare: ({ text }) => {
            const { keywords, window } = keywords_of(text);
            return {
                operation: () => keywords.filter((keyword) => new RegExp(keyword).test(window)),
                text_of: (found) => JSON.stringify(found.map((keyword) => keywords.indexOf(keyword))),
            };
        },
    },
    is_equal: {
        prepare: ({ root, text }) => {
            const other = JSON.parse(text);
            return { operation: () => lodash.isEqual(root, other) };
        },
    },
    clone_reply: {
        prepare: ({ root, replies }) => {
            const list = readFileSync(replies, 'utf8').split(separator);
            return {
                operation: (number) => (number === mark
                    ? list.reduce((state, reply) => answer_reply(state, reply).next, root)
                    : answer_reply(root, list[number % list.length])),
            };
        },
    },
    clone_reply_retain: {
        prepare: ({ root, replies, count }) => {
            const list = readFileSync(replies, 'utf8').split(separator);
            return {
                operation: () => list.reduce((state, reply) => answer_reply(state, reply).next, root),
                measure: () => retained(count, root, (version, i) => answer_reply(version, list[i % list.length]).next),
            };
        },
    },
    immer_retain: {
        prepare: ({ root, path, count }) => ({
            operation: (number) => produce(root, (draft) => set_in(draft, path, number)),
            measure: () => retained(count, root, (version, i) => produce(version, (draft) => set_in(draft, path, i))),
        }),
    },
    clone_retain: {
        prepare: ({ root, path, count }) => ({
            operation: (number) => lodash.set(lodash.cloneDeep(root), path, number),
            measure: () => retained(count, root, (version, i) => lodash.set(lodash.cloneDeep(version), path, i)),
        }),
    },
};

const prepared = new Map();

// With a document of its own, for some peers change or freeze what they are given.
function prepare(request) {
    const bytes = readFileSync(request.file);
    const text = bytes.toString('utf8');
    const root = request.file.endsWith('.json') ? JSON.parse(text) : null;
    return cases[request.case].prepare({ ...request, bytes, text, root });
}

function answer(request) {
    if (!Object.hasOwn(cases, request.case)) {
        return { error: 'no such case' };
    }
    if (request.check) {
        const { operation, text_of = JSON.stringify } = prepare(request);
        return { result: text_of(operation(mark)) };
    }
    const key = `${request.case} ${request.file}`;
    const warm = prepared.has(key);
    if (!warm) {
        prepared.set(key, prepare(request));
    }
    const { operation, measure: measure_itself } = prepared.get(key);
    if (measure_itself) {
        return measure_itself();
    }
    let number = 0;
    const result = measure(request.target_ms, warm ? 0 : request.warm_ms, () => operation(++number));
    return { ...result, counters: {} };
}

for await (const line of createInterface({ input: process.stdin })) {
    let reply;
    try {
        reply = answer(JSON.parse(line));
    } catch (error) {
        reply = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(reply) + '\n');
}
