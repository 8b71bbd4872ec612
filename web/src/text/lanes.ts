// The tree of turns as rows with lanes: the line to the head is lane 0, each branch has one of its own
// as long as it lasts.
import type { HistoryTurn } from "../api/types";

export interface LaneRow {
    turn: HistoryTurn;
    lane: number;
    isOnLine: boolean; // leads to the head
    isHead: boolean;
    isTip: boolean; // has no children
    parentLane: number; // -1: the first turn, or one whose parent is not loaded
    through: number[]; // lanes that pass by
    rerolls: number; // siblings in the story, itself included
}

// `turns` in the order in which they were stored; rows come newest first.
export function laneRows(turns: HistoryTurn[], head: string): LaneRow[] {
    const byId = new Map(turns.map((turn) => [turn.id, turn]));
    const line = new Set<string>();
    for (let at = byId.get(head); at; at = at.parent ? byId.get(at.parent) : undefined) {
        line.add(at.id);
    }
    const children = new Map<string, number>();
    for (const turn of turns) {
        if (turn.parent) {
            children.set(turn.parent, (children.get(turn.parent) ?? 0) + 1);
        }
    }
    // From the newest to the oldest: a lane waits for the parent of its last row.
    const waiting: (string | undefined)[] = [undefined];
    const laneOf = new Map<string, number>();
    const rows: LaneRow[] = [];
    for (const turn of turns.toReversed()) {
        let lane = line.has(turn.id) ? 0 : waiting.findIndex((each, index) => index > 0 && each === turn.id);
        if (lane < 0) {
            lane = waiting.findIndex((each, index) => index > 0 && each === undefined);
            lane = lane < 0 ? waiting.length : lane;
        }
        // All lanes that waited for this turn end here.
        waiting.forEach((each, index) => {
            if (each === turn.id) {
                waiting[index] = undefined;
            }
        });
        const through = waiting.flatMap((each, index) => (each !== undefined && index !== lane ? [index] : []));
        waiting[lane] = turn.parent && byId.has(turn.parent) ? turn.parent : undefined;
        laneOf.set(turn.id, lane);
        rows.push({
            turn,
            lane,
            isOnLine: line.has(turn.id),
            isHead: turn.id === head,
            isTip: !children.has(turn.id),
            parentLane: -1,
            through,
            rerolls: turn.parent ? (children.get(turn.parent) ?? 1) : 1,
        });
    }
    for (const row of rows) {
        row.parentLane = row.turn.parent ? (laneOf.get(row.turn.parent) ?? -1) : -1;
    }
    return rows;
}
