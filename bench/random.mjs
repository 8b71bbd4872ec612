// The only randomness of the benchmark's inputs, seeded by a text.

// mulberry32: small, good enough for shapes, and ours, so that it never changes under us.
export function random_from(seed_text) {
    let state = 0x9e3779b9;
    for (const character of seed_text) {
        state = Math.imul(state ^ character.codePointAt(0), 0x85ebca6b) >>> 0;
    }
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const between = (low, high) => low + Math.floor(next() * (high - low + 1));
    const pick = (list) => list[between(0, list.length - 1)];
    return { next, between, pick, chance: (part) => next() < part };
}
