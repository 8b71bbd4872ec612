// The benchmark: ours against its peers and limits, one table, one file of results.
//
//   node bench/run.mjs [--quick] [--only PATTERN] [--gate] [--build FOLDER]
//
//   --quick   a few seconds: does everything still run and agree? Its numbers are rough.
//   --only    only the rows whose id and text match the regular expression
//   --gate    exit with 1 when a floor is missed, or when a ratio is more than 10 % worse than in
//             the run before (bench/results/latest.json; quiet, full runs only)
//   --build   where the programs are (default: build/release)
//
// First every case is done once on every state, and its result compared with one that is made here
// with nothing but JSON.parse and an assignment; a difference ends the run. Then the cases of each
// group of rows are timed in turns (A B A B …), each in a process of its own. A number is the
// median of the medians of the rounds; p99 is over all samples. Rounds are short and many: a
// machine that others share changes its speed by the second, and so both sides see all its speeds.
// "(best)" is the ratio of the best rounds of both, which is what is left without the others.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { generate } from './generate.mjs';
import { carry_out } from './replies.mjs';
import { expected, groups, key_of, show_ns } from './rows.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const data = join('build', 'bench-data');
const mark = 424242;  // what checks set, as in state_cases.cpp and peers.mjs
const noisy_load = 1.5;
const steady_spread = 1.25;  // of the 90th to the 10th percentile of the rounds
const worse_allowed = 1.1;

const { values: options } = parseArgs({
    options: {
        quick: { type: 'boolean' }, only: { type: 'string' }, gate: { type: 'boolean' },
        build: { type: 'string', default: join('build', 'release') },
    },
});
const program = join(options.build, 'arbiter-bench');
const effort = options.quick
    ? { rounds: 3, target_ms: 4, warm_ms: 20 }
    : { rounds: 41, target_ms: 15, warm_ms: 400 };

function give_up(why) {
    console.error(`bench: ${why}`);
    process.exit(2);
}

// One process for each case: requests are lines, answers come in their order.
class Server {
    static all = new Map();
    static of({ side, case: name }) {
        const key = `${side}/${name}`;
        if (!Server.all.has(key)) {
            const command = side === 'ours' ? [join(root, program)]
                : side === 'threads' ? [join(root, program), '--threads'] : [process.execPath, '--expose-gc', join(here, 'peers.mjs')];
            Server.all.set(key, new Server(key, command));
        }
        return Server.all.get(key);
    }
    static stop_all() {
        for (const server of Server.all.values()) {
            server.child.removeAllListeners('exit');
            server.child.stdin.end();
        }
    }

    constructor(name, [command, ...rest]) {
        this.waiting = [];
        this.child = spawn(command, rest, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
        this.child.on('exit', (code) => give_up(`${name} ended by itself (${code})`));
        createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()(line));
    }
    async ask(request) {
        const line = await new Promise((resolve) => {
            this.waiting.push(resolve);
            this.child.stdin.write(JSON.stringify(request) + '\n');
        });
        const answer = JSON.parse(line);
        if (answer.error !== undefined) {
            give_up(`${request.case} on ${request.file}: ${answer.error}`);
        }
        return answer;
    }
}

function request_for(measure, manifest) {
    const { file, replies: own } = manifest.files[measure.size];
    // Only states have something at the paths.
    const { path, turn } = file.endsWith('.json') && own === undefined ? manifest : {};
    const replies = file.endsWith('.json') ? join(data, own ?? manifest.files.replies.file) : undefined;
    return {
        case: measure.case, file: join(data, file), path, turn, replies,
        target_ms: effort.target_ms, warm_ms: effort.warm_ms, ...measure.more, ...(options.quick ? measure.more.quick : {}),
    };
}

// Members sorted, so that patches that only order their members otherwise are the same.
function canonical(text) {
    return JSON.stringify(JSON.parse(text), (_, value) =>
        value && typeof value === 'object' && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
            : value);
}

function expected_text(kind, text, { path, turn, replies }) {
    const changed = (paths) => {
        const document = JSON.parse(text);
        for (const segments of paths) {
            segments.slice(0, -1).reduce((at, step) => at[step], document)[segments.at(-1)] = mark;
        }
        return JSON.stringify(document);
    };
    switch (kind) {
        case 'set':
            return changed([path]);
        case 'turn':
            return changed(turn);
        case 'replies': {
            const document = JSON.parse(text);
            replies.flat().forEach((command) => carry_out(document, command));
            return JSON.stringify(document);
        }
        case 'same':
            return text;
        case 'patch': {
            const pointer = path.map((step) => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
            return canonical(JSON.stringify([{ op: 'replace', path: pointer, value: mark }]));
        }
        case 'equal':
            return 'true';
    }
    return null;
}

const expected_texts = new Map();

// How a text was read must fit what the generator knows of it.
function check_reading(measure, result, { commands: count }, text) {
    const { text: shown, commands } = JSON.parse(result);
    if (commands.length !== count || (count === 0 && shown !== text)) {
        give_up(`${key_of(measure)} reads ${commands.length} commands of ${count}, or shows another text`);
    }
}

async function check(measure, manifest) {
    const kind = Object.keys(expected).find((name) => expected[name].includes(measure.case));
    if (kind === undefined) {
        give_up(`nobody says what ${measure.case} must answer (expected, in rows.mjs)`);
    }
    // Cases that are played have no peer to agree with: each is only compared with itself.
    const key = `${kind === 'played' ? measure.case : kind} ${measure.size}`;
    if (!expected_texts.has(key)) {
        const text = readFileSync(join(root, data, manifest.files[measure.size].file), 'utf8');
        expected_texts.set(key, expected_text(kind, text, manifest));
    }
    const wanted = expected_texts.get(key);
    if (kind === 'nothing') {
        return;
    }
    let { result } = await Server.of(measure).ask({ ...request_for(measure, manifest), check: true });
    if (wanted === null) {
        if (kind === 'reading') {
            check_reading(measure, result, manifest.files[measure.size], readFileSync(join(root, data, manifest.files[measure.size].file), 'utf8'));
        }
        expected_texts.set(key, result);  // the first to answer; all others must say the same
        return;
    }
    if (kind === 'patch') {
        result = canonical(result);
    } else if (measure.case === 'simdjson') {
        result = JSON.stringify(JSON.parse(result));  // it prints numbers in its own way
    }
    if (result !== wanted) {
        let at = 0;
        while (result[at] === wanted[at]) {
            ++at;
        }
        const around = (string) => JSON.stringify(string.slice(Math.max(0, at - 40), at + 40));
        give_up(`${key_of(measure)} has another result than it must, at character ${at}:\n` +
            `  is     ${around(result)}\n  should ${around(wanted)}`);
    }
}

function quantile(numbers, part) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

function summary(measure, rounds, manifest) {
    const medians = rounds.map((round) => quantile(round.samples, 0.5));
    return {
        ...measure, bytes: manifest.files[measure.size].bytes,
        median: quantile(medians, 0.5), best: Math.min(...medians), spread: quantile(medians, 0.9) / quantile(medians, 0.1),
        p99: quantile(rounds.flatMap((round) => round.samples), 0.99),
        counters: rounds.at(-1).counters, rounds,
    };
}

function unique_measures(rows) {
    return [...new Map(rows.flatMap((row) => row.measures).map((measure) => [key_of(measure), measure])).values()];
}

// Times the measurements of some rows in turns and evaluates the rows.
async function run_group(rows, manifest) {
    const measures = unique_measures(rows);
    const rounds = new Map(measures.map((measure) => [key_of(measure), []]));
    for (let round = 0; round < effort.rounds; ++round) {
        for (const measure of measures) {
            // Cases that retain versions are deterministic and slow: one round is enough. Others say
            // themselves how many of their long rounds are.
            const enough = measure.case.includes('retain') ? 1 : Math.min(measure.more.rounds ?? effort.rounds, effort.rounds);
            if (round < enough) {
                rounds.get(key_of(measure)).push(await Server.of(measure).ask(request_for(measure, manifest)));
            }
        }
    }
    const measured = new Map(measures.map((measure) => [key_of(measure), summary(measure, rounds.get(key_of(measure)), manifest)]));
    const results = rows.map((row) => {
        const value = row.evaluate((measure) => measured.get(key_of(measure)));
        const at_best = row.evaluate((measure) => {
            const found = measured.get(key_of(measure));
            return { ...found, median: found.best };
        });
        const { floor, moonshot, holds } = row.limits;
        return {
            id: row.id, what: row.what, ...value, best: at_best.ratio ?? at_best.number, unit: row.unit, floor, moonshot, sign: row.limits.sign,
            ours_p99: measured.get(key_of(row.measures[0])).p99,
            verdict: floor === null ? '' : !holds(value.number, floor) ? 'MISSED' : moonshot !== null && holds(value.number, moonshot) ? 'moonshot' : 'ok',
        };
    });
    return { results, measured: [...measured.values()] };
}

const show_number = (number) => (number >= 100 ? Math.round(number).toLocaleString('en') : number.toPrecision(3));

function table(results) {
    const limit = (row, value) => (value === null ? '' : `${row.sign} ${value.toLocaleString('en')}${row.unit}`);
    const memory = (row) => row.unit === ' B';
    const lines = [['id', 'what', 'ours', '(p99)', 'reference', 'ratio', '(best)', 'floor', 'moonshot', 'ok?']];
    for (const row of results) {
        lines.push([row.id, row.what, row.show[0], memory(row) ? '' : show_ns(row.ours_p99), row.show[1],
            show_number(row.ratio ?? row.number) + (row.ratio === undefined ? row.unit : '×'), memory(row) ? '' : show_number(row.best) + (row.ratio === undefined ? row.unit : '×'), limit(row, row.floor), limit(row, row.moonshot), row.verdict]);
    }
    const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
    const text = lines.map((line) => line.map((cell, column) =>
        column < 2 || column === 9 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join('  ').trimEnd());
    text.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
    return text.join('\n');
}

// Rows whose number is more than 10 % worse than in the run before.
function worse_rows(results, before) {
    const calm = (run) => run && !run.quick && !run.noisy && !run.unsteady;
    if (!calm(before) || !calm(report)) {
        return [];
    }
    return results.flatMap((row) => {
        const old = before.rows.find(({ id, what }) => id === row.id && what === row.what);
        const worse = old && row.floor !== null && (row.sign === '≥' ? old.number / row.number : row.number / old.number);
        return worse > worse_allowed ? [`${row.id} ${row.what}: ${show_number(old.number)} → ${show_number(row.number)}`] : [];
    });
}

if (!existsSync(join(root, program))) {
    give_up(`${program} is not there; build it: cmake --preset release && ninja -C build/release arbiter-bench`);
}
if (!existsSync(join(here, 'node_modules'))) {
    give_up('the peers are not there; fetch them: npm ci --ignore-scripts --prefix bench');
}

const load_at_start = os.loadavg();
const report = {
    format: 1, started: new Date().toISOString(), quick: options.quick === true, only: options.only ?? null,
    noisy: load_at_start[0] > noisy_load, effort,
    machine: {
        cpu: os.cpus()[0].model.trim(), cores: os.cpus().length, memory_bytes: os.totalmem(),
        system: `${os.type()} ${os.arch()}`, node: process.version, load_at_start,
    },
    peers: JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies,
};

const manifest = generate(join(root, data));
const pattern = new RegExp(options.only ?? '', 'i');
const wanted = (row) =>
    pattern.test(`${row.id} ${row.what}`) && !(options.quick && row.measures.some(({ size }) => size === '10m'));
const chosen = groups.map((rows) => rows.filter(wanted)).filter((rows) => rows.length > 0);
if (chosen.length === 0) {
    give_up('no row matches --only');
}
for (const measure of unique_measures(chosen.flat())) {
    await check(measure, manifest);
}

report.rows = [];
report.measurements = [];
for (const rows of chosen) {
    const { results, measured } = await run_group(rows, manifest);
    report.rows.push(...results);
    report.measurements.push(...measured);
}
Server.stop_all();
report.machine.load_at_end = os.loadavg();
// A virtual machine can be slow at times although it is idle, because of its neighbours.
const unsteady = report.measurements.filter(({ spread }) => spread > steady_spread).length;
report.unsteady = unsteady * 4 > report.measurements.length;

const folder = join(here, 'results');
mkdirSync(folder, { recursive: true });
const latest = join(folder, 'latest.json');
const before = existsSync(latest) ? JSON.parse(readFileSync(latest, 'utf8')) : null;
const stamp = report.started.replaceAll(/[-:]|\.\d+/g, '');
for (const file of [join(folder, `${stamp}.json`), latest]) {
    writeFileSync(file, JSON.stringify(report) + '\n');
}

const { machine } = report;
console.log(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}, load ${machine.load_at_start[0].toFixed(2)}` +
    `${report.noisy ? ' — NOISY: others use this machine' : ''}` +
    `${report.unsteady ? ` — UNSTEADY: speed changed between rounds in ${unsteady} of ${report.measurements.length} measurements` : ''}${report.quick ? ' — quick: rough numbers' : ''}`);
console.log(table(report.rows));
const missed = report.rows.filter(({ verdict }) => verdict === 'MISSED');
const worse = worse_rows(report.rows, before);
console.log(`\n${report.rows.filter(({ floor }) => floor !== null).length} floors, ${missed.length} missed; all samples in bench/results/${stamp}.json`);
for (const line of worse) {
    console.log(`worse than the run before: ${line}`);
}
process.exitCode = options.gate && (missed.length > 0 || worse.length > 0) ? 1 : 0;
