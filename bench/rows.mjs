// The claims of the benchmark: the rows of its table and the measurements behind each row.
//
// Ids and limits are those of the performance targets: `floor` must hold at a release, `moonshot`
// is what we aim for. A row without a floor is there for context. Absolute numbers depend on the
// machine; the ratio to a peer or a limit that was measured in the same run is the claim.

// One thing to measure: a case of arbiter-bench ('ours') or of peers.mjs ('peer') on one state.
const ours = (name, size, more = {}) => ({ side: 'ours', case: name, size, more });
// The same in a process with a second thread, where counting references is atomic, as in a server.
const threaded = (name, size, more = {}) => ({ side: 'threads', case: name, size, more });
const peer = (name, size, more = {}) => ({ side: 'peer', case: name, size, more });

export const key_of = ({ side, case: name, size }) => `${side}/${name}/${size}`;

export function show_ns(ns) {
    const digits = (value) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
    return ns < 1e3 ? `${digits(ns)} ns` : ns < 1e6 ? `${digits(ns / 1e3)} µs` : `${digits(ns / 1e6)} ms`;
}
const show_bytes = (bytes) => (bytes < 10_000 ? `${Math.round(bytes)} B` : `${(bytes / 1024).toFixed(1)} KB`);
const show_speed = (bytes, ns) => `${Math.round((bytes / ns) * 1000)} MB/s`;

// The limits of a row: lower or upper bounds for its `number`.
const at_least = (floor, moonshot) => ({ floor, moonshot, holds: (number, limit) => number >= limit, sign: '≥' });
const at_most = (floor, moonshot) => ({ floor, moonshot, holds: (number, limit) => number <= limit, sign: '≤' });
const no_limits = { floor: null, moonshot: null, holds: () => true, sign: '' };

// How many times faster ours is.
function faster(id, what, mine, theirs, limits = no_limits) {
    return {
        id, what, limits, measures: [mine, theirs], unit: '×',
        evaluate: (of) => ({
            ours: of(mine).median, peer: of(theirs).median,
            number: of(theirs).median / of(mine).median,
            show: [show_ns(of(mine).median), show_ns(of(theirs).median)],
        }),
    };
}

// The same for work on all bytes of a text, shown as speed.
function faster_bytes(id, what, mine, theirs, limits = no_limits) {
    const row = faster(id, what, mine, theirs, limits);
    return {
        ...row,
        evaluate: (of) => {
            const { ours: a, peer: b, number } = row.evaluate(of);
            const { bytes } = of(mine);
            return { ours: a, peer: b, number, show: [show_speed(bytes, a), show_speed(bytes, b)] };
        },
    };
}

// The same text in pieces of 5 bytes (as in reader_cases.cpp) against the whole at once.
const feed_bytes = 5;
const feeds_of = ({ bytes }) => Math.ceil(bytes / feed_bytes);
function feeds(id, what, mine, whole, limits) {
    return {
        id, what, limits, measures: [mine, whole], unit: '×',
        evaluate: (of) => {
            const [a, b] = [mine, whole].map((measure) => of(measure).median / feeds_of(of(mine)));
            return { ours: a, peer: b, number: a / b, show: [show_ns(a), show_ns(b)] };
        },
    };
}

// The ratio of the costs of an operation on a large and a small state.
function growth(id, what, large, small, limits = no_limits) {
    return {
        id, what, limits, measures: [large, small], unit: '×',
        evaluate: (of) => ({
            ours: of(large).median, peer: of(small).median,
            number: of(large).median / of(small).median,
            show: [show_ns(of(large).median), show_ns(of(small).median)],
        }),
    };
}

// Memory of one more kept version; the limit is on ours in bytes.
function memory(id, what, mine, theirs, limits) {
    const bytes = (of, measure) => of(measure).counters.bytes_per_version;
    return {
        id, what, limits, measures: [mine, theirs], unit: ' B',
        evaluate: (of) => ({
            ours: bytes(of, mine), peer: bytes(of, theirs), number: bytes(of, mine),
            ratio: bytes(of, theirs) / bytes(of, mine),
            show: [show_bytes(bytes(of, mine)), show_bytes(bytes(of, theirs))],
        }),
    };
}

// Time of ours as a multiple of a reference that was measured in the same run: one step of copying,
// allocating and hashing (physics_cases.cpp). Both depend on the machine, the multiple does not.
// `part` selects the time that is shown, such as that of one feed.
function reference(id, what, mine, steps, limits, part = ({ median }) => median) {
    return {
        id, what, limits, measures: [mine, steps], unit: '×',
        evaluate: (of) => {
            const [a, b] = [part(of(mine)), of(steps).median];
            return { ours: a, peer: b, number: a / b, show: [show_ns(a), show_ns(b)] };
        },
    };
}

// Ours alone, in a unit of its own: `number_of` makes it of what was measured.
function alone(id, what, mine, unit, number_of, limits) {
    return {
        id, what, limits, measures: [mine], unit,
        evaluate: (of) => {
            const number = number_of(of(mine));
            return { ours: of(mine).median, peer: null, number, show: [show_ns(of(mine).median), ''] };
        },
    };
}

// Streams through ours, and the same through others: the sizes of states mean nothing here.
const streams = (name, more = {}) => ours(`stream_${name}`, '4k', more);
const first = (through) => streams(through ? `first_${through}` : 'first', { rounds: 11 });
const busy = (through) => streams(through ? `busy_${through}` : 'busy', { rounds: 7 });
const bulk = (through) => streams(through ? `bulk_${through}` : 'bulk', { rounds: 7 });
const held = (through) => streams(through ? `held_${through}` : 'held', { rounds: 1, count: 9_000, quick: { count: 300 } });

// The time that something between client and model server adds to that of a direct connection.
function added(what, mine, limits, part = ({ median }) => median) {
    const direct = first('direct');
    return {
        id: 'P16', what, limits, measures: [mine, direct], unit: ' µs',
        evaluate: (of) => {
            const [a, b] = [part(of(mine)), part(of(direct))];
            return { ours: a, peer: b, number: (a - b) / 1e3, show: [show_ns(a), show_ns(b)] };
        },
    };
}
const p99 = ({ p99: found }) => found;

// Memory of each open stream; the limit is on ours in bytes. A stream that failed is a row of its own.
const stream_memory = (what, mine, limits) => ({
    id: 'P18', what, limits, measures: [mine], unit: ' B',
    evaluate: (of) => {
        const bytes = of(mine).counters.bytes_per_stream;
        return { ours: bytes, peer: null, number: bytes, show: [show_bytes(bytes), ''] };
    },
});

const set = ours('set', '860k');
const snapshot = ours('snapshot', '860k');
const clone = peer('structured_clone', '860k');
const diff = ours('diff', '860k');

// One persistent set against what cannot be avoided: the bytes of a version copied at the speed of
// memcpy (on hot memory, as a path is), and a block of memory taken and given back for each level.
// A large map is a tree of its own, so a version has more levels than its path has names; the
// second row counts only the names.
const names = 6;
const retain = ours('retain', '860k', { count: 10_000 });
const copying = ours('memcpy', '4k');
const block = ours('malloc', '4k', { count: names, bytes: 256 });
const physics_with = (what, limits, blocks_of) => ({
    id: 'P5', what, limits, measures: [set, copying, block, retain], unit: '×',
    evaluate: (of) => {
        const { bytes_per_version: version, blocks_per_version: levels } = of(retain).counters;
        const limit = (version * of(copying).median) / of(copying).bytes + blocks_of(levels) * of(block).median;
        return {
            ours: of(set).median, peer: limit, number: of(set).median / limit,
            show: [show_ns(of(set).median), show_ns(limit)],
        };
    },
});
const physics = physics_with('set vs physics: memcpy of a version + its malloc/free', at_most(5, 2.5), (levels) => levels);
const physics_of_names = physics_with(`same, with ${names} blocks only`, no_limits, () => names);

const snapshot_cost = {
    ...faster('P6', 'snapshot (copy the root, drop it)', snapshot, clone, at_most(100, 20)),
    unit: ' ns',
};
const snapshot_evaluate = snapshot_cost.evaluate;
snapshot_cost.evaluate = (of) => {
    const { number, ...rest } = snapshot_evaluate(of);
    return { ...rest, number: rest.ours, ratio: number };
};

const rebuilding = ours('ledger_rebuild', '1m', { count: 10_000 });
const rebuilding_together = ours('ledger_rebuild_together', '1m', { count: 10_000 });
const steps = (size) => ours('steps', size);
const opening = ours('ledger_open', '1m', { count: 10_000 });

const overload = ours('server_overload', '10k', { count: 2_000, rounds: 1 });

const texts = ['4k', '58k', '860k'];

// A group is measured in turns, A B A B, so what is compared must stand in one group.
export const groups = [
    [
        growth('P3', 'set: 1 MB against 10 KB', ours('set', '1m'), ours('set', '10k'), at_most(2.5, 1.5)),
        growth('P3', 'set: 10 MB against 10 KB', ours('set', '10m'), ours('set', '10k')),
        growth('P3', 'turn of 10 sets: 1 MB against 10 KB', ours('turn', '1m'), ours('turn', '10k')),
    ],
    [
        faster('P4', 'set at 860 KB / immer', set, peer('immer', '860k'), at_least(780, 1800)),
        faster('P4', 'set at 860 KB / mutative', set, peer('mutative', '860k'), at_least(106, 240)),
        faster('P4', 'set at 860 KB / cloneDeep + set', set, peer('clone_set', '860k'), at_least(7000, 16000)),
        faster('P4', 'set beside other threads / immer', threaded('set', '860k'), peer('immer', '860k')),
        faster('P4', 'set, path parsed too / immer', ours('set_parse', '860k'), peer('immer', '860k')),
        faster('P4', 'set and seal (hashes) / immer', ours('set_seal', '860k'), peer('immer', '860k')),
        faster('P4', 'set, versions kept (no drop) / immer', ours('set_kept', '860k'), peer('immer', '860k')),
        physics,
        physics_of_names,
    ],
    [
        faster('P4', 'turn of 10 sets at 860 KB / immer', ours('turn', '860k'), peer('immer_turn', '860k')),
        faster('P4', 'turn of 10 sets at 860 KB / mutative', ours('turn', '860k'), peer('mutative_turn', '860k')),
        faster('P4', 'set in place, no history / lodash.set', ours('edit', '860k'), peer('lodash_set', '860k')),
    ],
    [
        reference('P1', 'reply of 2 KB, 8 commands, on 10 KB / a step', ours('reply', '10k'), steps('10k'), at_most(355, 195)),
        faster('P1', 'same / clone-based peer', ours('reply', '10k'), peer('clone_reply', '10k')),
        reference('P2', 'same on 1 MB / a step', ours('reply', '1m'), steps('1m'), at_most(785, 345)),
        faster('P2', 'same / clone-based peer', ours('reply', '1m'), peer('clone_reply', '1m')),
        growth('P3', 'same, 1 MB / 10 KB', ours('reply', '1m'), ours('reply', '10k'), at_most(2.5, 1.5)),
        faster('P2', 'same on 1 MB, beside other threads / clone-based peer', threaded('reply', '1m'), peer('clone_reply', '1m')),
    ],
    [
        memory('P8', 'bytes a kept reply of 8 commands, 1 MB / clone-based peer', ours('retain_reply', '1m', { count: 1000 }), peer('clone_reply_retain', '1m', { count: 10 }), at_most(16_384, 6144)),
        memory('P8', 'same, with its audit records', ours('retain_reply_records', '1m', { count: 1000 }), peer('clone_reply_retain', '1m', { count: 10 }), no_limits),
    ],
    [
        snapshot_cost,
        faster('P6', 'snapshot at 860 KB / structuredClone', snapshot, clone, at_least(50_000, null)),
        faster('P6', 'snapshot beside other threads / structuredClone', threaded('snapshot', '860k'), clone),
    ],
    [
        faster('P7', 'diff of neighbours / fast-json-patch', diff, peer('patch_compare', '860k'), at_least(2300, 15_000)),
        faster('P7', 'same, its versions share structure', diff, peer('patch_compare_shared', '860k')),
    ],
    [
        memory('P8', 'bytes a kept version, one set / immer', retain, peer('immer_retain', '860k', { count: 200 }), at_most(2048, null)),
        memory('P8', 'bytes a kept turn of 10 sets, 1 MB / cloneDeep', ours('retain_turn', '1m', { count: 2000 }), peer('clone_retain', '1m', { count: 10 }), at_most(16_384, 6144)),
    ],
    ...texts.map((size) => [
        faster_bytes('P9', `JSON → document, ${size} / JSON.parse`, ours('parse_drop', size), peer('json_parse', size), at_least(1.25, null)),
        faster_bytes('P9', `JSON → document, ${size} / decode + JSON.parse`, ours('parse_drop', size), peer('json_parse_bytes', size)),
        faster_bytes('P9', `JSON → document, ${size} / simdjson DOM`, ours('parse', size), ours('simdjson', size), at_least(0.22, 0.45)),
    ]),
    [faster_bytes('P9', 'JSON → document, 10m / simdjson DOM', ours('parse', '10m'), ours('simdjson', '10m'))],
    ...texts.map((size) => [
        faster_bytes('P10', `document → JSON, ${size} / JSON.stringify`, ours('print', size), peer('json_stringify', size), at_least(2.4, 6)),
        faster_bytes('P10', `document → JSON, ${size} / memcpy`, ours('print', size), ours('memcpy', size)),
    ]),
    // The check of ASCII is four times as fast as that of Chinese.
    ...[['narrative-zh', [0.084, 0.25]], ['narrative-en', [0.0216, 0.065]]].map(([text, floors]) => [
        faster_bytes('P11', `${text}, at once / UTF-8 check`, ours('read', text), ours('utf8', text), at_least(...floors)),
        reference('P11', `${text}, each feed of 5 B / a step`, ours('read_feeds', text), steps('10k'), at_most(1.07, null), (feed) => feed.median / feeds_of(feed)),
    ]),
    [
        faster_bytes('P11', 'one command in 200 B, at once / UTF-8 check', ours('read', 'dense'), ours('utf8', 'dense'), at_least(0.0126, null)),
        feeds('P11', 'same, in feeds of 5 B / at once', ours('read_feeds', 'dense'), ours('read', 'dense'), at_most(2, 1.3)),
    ],
    [growth('D6', 'a hostile reply of 1 MB / one of story and commands', ours('read_hostile', 'hostile'), ours('read', 'dense'), at_most(5, 2))],
    [growth('D5', 'push onto a list of 100,000 / of 1,000', ours('push_100k', '4k'), ours('push_1k', '4k'), at_most(2, 1.3))],
    ...['truncated', 'relaxed'].map((text) => [
        faster_bytes('P11', `broken JSON (${text}) → value / jsonrepair + JSON.parse`, ours('literal', text), peer('jsonrepair', text), at_least(10, null)),
    ]),
    [faster_bytes('P11', 'proper JSON by the same, 58k / JSON.parse', ours('literal', '58k'), peer('json_parse', '58k'))],
    [
        faster('P19', '10,000 keywords in 16 KB / includes', ours('keywords', 'keywords'), peer('includes', 'keywords'), at_least(98, 327)),
        faster('P19', 'same / a new RegExp each', ours('keywords', 'keywords'), peer('keyword_regex', 'keywords'), at_least(467, null)),
        faster('P19', 'one keyword out and in again, then all / includes', ours('keywords_change', 'keywords'), peer('includes', 'keywords'), at_least(98, null)),
    ],
    [
        growth('WR', 'a turn under infinite-flow: 1,010 people / 10', ours('world_turn', 'world-1010'), ours('world_turn', 'world-10'), at_most(1.5, 1.1)),
    ],
    [
        faster('P19', '10,000 _filter nodes, a turn, window of 16 KB / includes', ours('shown', 'keywords'), peer('includes', 'keywords'), at_least(98, 327)),
        faster('P19', 'same, and the turn adds such a node', ours('shown_change', 'keywords'), peer('includes', 'keywords'), at_least(98, null)),
    ],
    [
        faster('P19', '10,000 entries of lore, a new message of 16 KB / includes', ours('lore', 'keywords'), peer('includes', 'keywords'), at_least(98, null)),
        faster('P19', 'same, and the turn adds an entry', ours('lore_change', 'keywords'), peer('includes', 'keywords'), at_least(98, null)),
        alone('P20', 'the six templates of a card, 2 KB', ours('templates', '10k'), ' µs', ({ median }) => median / 1e3, at_most(100, null)),
        reference('P20', 'a prompt of 64 KB from 1,000 entries of lore / a step', ours('prompt', 'keywords'), steps('10k'), at_most(17_800, 4450)),
    ],
    [
        growth('P13', 'a turn acknowledged, 1 MB / write + fdatasync', ours('ledger_durable', '1m'), ours('fdatasync', '1m', { bytes: 2000 }), at_most(1.6, 1.2)),
        growth('P13', 'same, a store that was just opened', ours('ledger_durable_fresh', '1m'), ours('fdatasync', '1m', { bytes: 2000 }), at_most(1.6, null)),
    ],
    [
        faster('P14', 'turns of 64 busy campaigns / raw inserts, 64 a commit', ours('ledger_busy', '10k'), ours('raw_inserts', '10k'), at_least(0.75, 0.95)),
    ],
    [
        reference('P12', 'rebuild of 10,000 turns of 8 commands, 1 MB, one core: a command / a step', rebuilding, steps('1m'), no_limits),
        reference('P12', 'same on all cores / a step on all cores', rebuilding_together, ours('steps_together', '1m'), at_most(100, null)),
        alone('P12', 'same, all of it', rebuilding_together, ' ms', ({ median, counters }) => (median * counters.commands) / 1e6, no_limits),
    ],
    [
        alone('P21', 'open a campaign of 10,000 turns, 1 MB', opening, ' ms', ({ median }) => median / 1e6, at_most(50, 10)),
        alone('P21', 'bytes on disk a turn', opening, ' B', ({ counters }) => counters.bytes_per_turn, at_most(5120, null)),
    ],
    [alone('P21', 'the state of any of its turns', ours('ledger_state_at', '1m', { count: 10_000 }), ' ms', ({ median }) => median / 1e6, at_most(20, null))],
    [reference('CF', 'a reply of 2 KB checked against 50 characters and 100 areas / a step', ours('conflict', '10k'), steps('10k'), at_most(3200, 1600))],
    [alone('SV', 'durable turns over HTTP, 2,000 campaigns, one a second each, 99th percentile', ours('server_load', '10k', { count: 2_000, rounds: 3 }), ' ms', ({ counters }) => counters.p99_us / 1e3, at_most(20, 5))],
    [
        alone('SV', 'three times the turns that it can play: a refusal, median', overload, ' ms', ({ counters }) => counters.refused_p50_us / 1e3, at_most(5, null)),
        alone('SV', 'same, 99th percentile', overload, ' ms', ({ counters }) => counters.refused_p99_us / 1e3, no_limits),
        alone('SV', 'turns played meanwhile / as many as it can play', overload, '', ({ counters }) => counters.goodput / counters.capacity, at_least(0.8, null)),
        alone('SV', 'all answered, and none refused at a third of the load, after', overload, ' ms', ({ counters }) => counters.recovery_ms, at_most(2000, null)),
        alone('SV', 'memory grown meanwhile', overload, ' MB', ({ counters }) => counters.grown_bytes / 2 ** 20, at_most(256, null)),
        alone('SV', 'a turn at a third of the load after it, 99th percentile', overload, ' ms', ({ counters }) => counters.p99_after_us / 1e3, at_most(20, null)),
    ],
    [alone('SV', 'from the start of the server to its first answer, 1,000 campaigns on disk', ours('server_start', '10k', { count: 1_000, rounds: 1 }), ' ms', ({ median }) => median / 1e6, at_most(150, null))],
    [alone('SV', 'the first answer about a campaign of 10,000 turns', ours('server_open', '10k', { count: 10_000, rounds: 1, quick: { count: 500 } }), ' ms', ({ median }) => median / 1e6, at_most(50, 10))],
    [
        added('first byte of a stream, median, more than directly', first(), at_most(80, 50)),
        added('same, 99th percentile', first(), at_most(350, 200), p99),
        added('same through a raw relay, median', first('relay'), no_limits),
        added('same through nginx, median', first('nginx'), no_limits),
        added('same through a pipe in Node, median', first('node'), no_limits),
    ],
    [
        growth('P17', 'CPU of an event in 32 streams, as fast as possible / a raw relay', bulk(), bulk('relay'), at_most(1.8, 1.3)),
        growth('P17', 'same / nginx', bulk(), bulk('nginx')),
        growth('P17', 'same / a pipe in Node', bulk(), bulk('node'), at_most(0.55, null)),
        growth('P17', 'CPU of an event in 32 streams, one by one / a raw relay', busy(), busy('relay')),
        growth('P17', 'same / a pipe in Node', busy(), busy('node')),
    ],
    [
        alone('P18', '9,000 streams at once, an event a second each: failed', held(), '', ({ counters }) => counters.failed, at_most(0, null)),
        alone('P18', 'same, an event on its way, 99th percentile', held(), ' ms', ({ p99: ns }) => ns / 1e6, at_most(20, null)),
        stream_memory('same, memory of a stream', held(), at_most(16_384, 8192)),
        stream_memory('same through a raw relay', held('relay'), no_limits),
        stream_memory('same through nginx', held('nginx'), no_limits),
    ],
    [reference('TL', 'a whole turn but for the model, 1 MB / a step', ours('session_turn', '1m'), steps('1m'), at_most(4000, null))],
    [faster('P15', 'durable turns of 64 campaigns, PostgreSQL / raw libpq pipeline', ours('postgres_busy', '4k'), ours('raw_pipeline', '4k'), at_least(0.7, 0.9))],
    [faster('EQ', 'equal, nothing shared, 860 KB / lodash.isEqual', ours('equal', '860k'), peer('is_equal', '860k'))],
];

// The expected answer to a check. `same` expects the text of the file; `set` to `equal` expect a
// value derived from it. `reading` expects the known number of commands, and the whole text if
// there are none. The right answers of `repaired`, `played` and `found` are not known in advance,
// so all implementations must give the same one.
export const expected = {
    set: ['set', 'set_kept', 'set_parse', 'set_seal', 'edit', 'retain', 'clone_set', 'lodash_set', 'immer', 'mutative', 'immer_retain', 'clone_retain'],
    turn: ['turn', 'retain_turn', 'immer_turn', 'mutative_turn'],
    same: ['snapshot', 'structured_clone', 'parse', 'parse_drop', 'print', 'simdjson', 'memcpy', 'json_parse', 'json_parse_bytes', 'json_stringify'],
    patch: ['diff', 'patch_compare', 'patch_compare_shared'],
    equal: ['equal', 'is_equal'],
    reading: ['read', 'read_feeds'],
    repaired: ['literal', 'jsonrepair'],
    found: ['keywords', 'keywords_change', 'includes', 'keyword_regex', 'shown', 'shown_change', 'lore', 'lore_change'],
    played: ['world_turn', 'prompt', 'templates', 'conflict'],
    replies: ['reply', 'retain_reply', 'retain_reply_records', 'clone_reply', 'clone_reply_retain'],
    nothing: ['push_1k', 'push_100k', 'read_hostile', 'malloc', 'steps', 'steps_together', 'utf8', 'ledger_open', 'ledger_state_at', 'ledger_rebuild', 'ledger_rebuild_together', 'ledger_durable', 'ledger_durable_fresh', 'fdatasync', 'ledger_busy', 'raw_inserts', 'postgres_busy', 'raw_pipeline', 'session_turn', 'server_load', 'server_overload', 'server_start', 'server_open',
        'stream_first', 'stream_first_direct', 'stream_first_relay', 'stream_first_nginx', 'stream_first_node',
        'stream_bulk', 'stream_bulk_relay', 'stream_bulk_nginx', 'stream_bulk_node',
        'stream_busy', 'stream_busy_relay', 'stream_busy_nginx', 'stream_busy_node', 'stream_held', 'stream_held_relay', 'stream_held_nginx'],
};
