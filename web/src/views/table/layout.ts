// Positions of areas on the map: a spring layout, the same for the same map.

export interface Point {
    x: number;
    y: number;
}

const mapWidth = 900;
const mapHeight = 360;
const steps = 220;

// In shares of the width and the height.
export function layOut(ids: string[], paths: { from: string; to: string }[]): Map<string, Point> {
    const at = new Map<string, Point>();
    ids.forEach((id, index) => {
        const angle = (index / Math.max(1, ids.length)) * 2 * Math.PI;
        at.set(id, { x: mapWidth / 2 + Math.cos(angle) * 260, y: mapHeight / 2 + Math.sin(angle) * 130 });
    });
    const wish = Math.min(210, 760 / Math.sqrt(Math.max(1, ids.length)));
    for (let step = 0; step < steps; ++step) {
        const heat = 14 * (1 - step / steps);
        const push = new Map(ids.map((id) => [id, { x: 0, y: 0 }]));
        const force = (a: string, b: string, amount: (distance: number) => number) => {
            const [p, q, fp, fq] = [at.get(a), at.get(b), push.get(a), push.get(b)];
            if (!p || !q || !fp || !fq) {
                return;
            }
            const [dx, dy] = [q.x - p.x || 0.1, (q.y - p.y) * 1.5 || 0.1];
            const distance = Math.hypot(dx, dy);
            const pull = amount(distance) / distance;
            fp.x += dx * pull;
            fp.y += dy * pull;
            fq.x -= dx * pull;
            fq.y -= dy * pull;
        };
        ids.forEach((a, i) => ids.slice(i + 1).forEach((b) => force(a, b, (d) => -(wish * wish) / d)));
        paths.forEach((path) => force(path.from, path.to, (d) => (d * d) / wish / 2));
        for (const id of ids) {
            const [point, f] = [at.get(id), push.get(id)];
            if (point && f) {
                // Places without a path do not drift away.
                f.x += (mapWidth / 2 - point.x) * 0.6;
                f.y += (mapHeight / 2 - point.y) * 0.9;
                const size = Math.hypot(f.x, f.y) || 1;
                point.x += (f.x / size) * Math.min(size, heat);
                point.y += (f.y / size) * Math.min(size, heat);
            }
        }
    }
    // To the edges.
    const all = [...at.values()];
    const [left, right] = [Math.min(...all.map((p) => p.x)), Math.max(...all.map((p) => p.x))];
    const [top, bottom] = [Math.min(...all.map((p) => p.y)), Math.max(...all.map((p) => p.y))];
    for (const point of all) {
        point.x = right > left ? (point.x - left) / (right - left) : 0.5;
        point.y = bottom > top ? (point.y - top) / (bottom - top) : 0.5;
    }
    return at;
}
