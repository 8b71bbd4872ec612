// The table as the state tells it, in the words of the player: names instead of ids. Looks up, and
// works nothing out.
import type { Json, JsonObject } from "../api/types";
import { has, t } from "../i18n/index.svelte";
import { at, isDescribed, objectAt, shortValue, textAt } from "./value";

export interface Person {
    id: string;
    name: string;
    title: string;
    job: string;
    race: string;
    background: string;
    area: string;
    hp?: { current: number; max: number };
    conditions: string[];
    attributes: [string, Json][];
    skills: string[];
    items: string[];
    isActive: boolean;
    inParty: boolean;
}

export interface Exit {
    path: string;
    name: string;
    lock: string;
}

export interface Area {
    id: string;
    name: string;
    description: string;
    lock: string;
    people: Person[];
}

export interface Fact {
    path: string[];
    name: string;
    value: Json;
}

export interface Table {
    people: Person[];
    party: Person[];
    areas: Area[];
    paths: { id: string; from: string; to: string }[];
    place?: { name: string; description: string; exits: Exit[] };
    time: string;
    timePath?: string[];
    goal: string;
    quests: Fact[]; // of a state without a table
    facts: Fact[];
    label: (path: string[]) => string;
    name: (value: Json | undefined) => string;
}

function lockOf(area: Json | undefined): string {
    const lock = at(area, ["lock"]);
    if (lock === undefined || lock === null || lock === false) {
        return "";
    }
    return textAt(area, ["lock", "unlock_when"]) || textAt(area, ["lock", "reason"]) || t("locked");
}

function personOf(id: string, data: Json, active: string, party: string[]): Person {
    const current = at(data, ["hp", "current"]);
    const max = at(data, ["hp", "max"]);
    const life = textAt(data, ["status", "alive_state"]);
    const more = at(data, ["status", "conditions"]) ?? at(data, ["conditions"]);
    const conditions = [
        ...(life && life !== "alive" ? [has(`alive.${life}`) ? t(`alive.${life}` as "alive.dead") : life] : []),
        ...(Array.isArray(more) ? more.map((each) => textAt(each, ["name"]) || shortValue(each)) : []),
    ];
    const skills = at(data, ["skills"]);
    return {
        id,
        name: textAt(data, ["name"]) || id,
        title: textAt(data, ["title"]),
        job: textAt(data, ["job"]),
        race: textAt(data, ["race"]),
        background: textAt(data, ["background"]),
        area: textAt(data, ["area_id"]),
        hp: typeof current === "number" && typeof max === "number" ? { current, max } : undefined,
        conditions,
        attributes: Object.entries(objectAt(data, ["attributes"])),
        skills: (Array.isArray(skills) ? skills : []).map((each) =>
            [textAt(each, ["name"]) || shortValue(each), textAt(each, ["level"])].filter(Boolean).join(" "),
        ),
        items: Object.entries(objectAt(data, ["items"])).map(([key, item]) => {
            const count = at(item, ["count"]);
            return `${textAt(item, ["name"]) || key}${typeof count === "number" && count !== 1 ? ` × ${count}` : ""}`;
        }),
        isActive: id === active,
        inParty: party.includes(id),
    };
}

// Values near the top of a state without a table, such as that of a card.
function factsOf(value: Json, path: string[], depth: number): Fact[] {
    if (value === null || typeof value !== "object" || isDescribed(value)) {
        return [{ path, name: path.at(-1) ?? "", value }];
    }
    if (Array.isArray(value) || depth === 0) {
        return [];
    }
    return Object.entries(value)
        .filter(([key]) => !key.startsWith("$") && !key.startsWith("_"))
        .flatMap(([key, each]) => factsOf(each, [...path, key], depth - 1));
}

export function tableOf(document: JsonObject): Table {
    const campaign = at(document, ["campaign"]);
    const selected = at(campaign, ["selected"]);
    const active = textAt(selected, ["active_actor_id"]);
    const ids = at(selected, ["party_character_ids"]);
    const party = Array.isArray(ids) ? ids.map(String) : [];
    const people = Object.entries(objectAt(campaign, ["characters"])).map(([id, data]) =>
        personOf(id, data, active, party),
    );
    const areas = Object.entries(objectAt(campaign, ["areas"])).map(([id, data]) => ({
        id,
        name: textAt(data, ["name"]) || id,
        description: textAt(data, ["description"]),
        lock: lockOf(data),
        people: people.filter((each) => each.area === id),
    }));
    const paths = Object.entries(objectAt(campaign, ["paths"])).map(([id, data]) => ({
        id,
        from: textAt(data, ["from"]) || textAt(data, ["from_area_id"]),
        to: textAt(data, ["to"]) || textAt(data, ["to_area_id"]),
    }));
    const here = areas.find((each) => each.id === people.find((person) => person.isActive)?.area);
    const area = new Map(areas.map((each) => [each.id, each]));
    const exits = here
        ? paths
              .filter((path) => path.from === here.id || path.to === here.id)
              .map((path) => {
                  const target = area.get(path.from === here.id ? path.to : path.from);
                  return { path: path.id, name: target?.name ?? path.to, lock: target?.lock ?? "" };
              })
        : [];
    const names = new Map<string, string>([...people, ...areas].map((each) => [each.id, each.name]));
    const name = (value: Json | undefined) =>
        typeof value === "string" ? (names.get(value) ?? shortValue(value, 40)) : shortValue(value, 40);
    const label = (path: string[]) =>
        (path[0] === "campaign" ? path.slice(2) : path)
            .filter((key, index, all) => !(key === "current" && all[index - 1] === "hp"))
            .map((key) => names.get(key) ?? (has(`key.${key}`) ? t(`key.${key}` as "key.hp") : key))
            .join(" · ");
    const facts = campaign === undefined ? factsOf(document, [], 3) : [];
    return {
        people,
        party: people.filter((each) => each.inParty).sort((a, b) => party.indexOf(a.id) - party.indexOf(b.id)),
        areas,
        paths,
        place: here ? { name: here.name, description: here.description, exits } : undefined,
        ...timeOf(document),
        goal: at(campaign, ["goal", "is_hidden"]) === true ? "" : textAt(campaign, ["goal", "ultimate_goal_text"]),
        quests: facts.filter((fact) => questWord.test(fact.path.slice(-2).join("/")) && isTold(fact.value)).slice(0, 4),
        facts: facts.filter((fact) => !questWord.test(fact.path.slice(-2).join("/"))),
        label,
        name,
    };
}

// Names that cards give to the task at hand.
const questWord = /任务|委托|quest|objective/i;

function isTold(value: Json): boolean {
    const plain = isDescribed(value) ? value[0] : value;
    return typeof plain === "string" && plain.trim() !== "" && !/^(无|暂无|没有|none|null|-+)$/i.test(plain.trim());
}

const timePaths = [
    ["campaign", "time", "current"],
    ["campaign", "time"],
    ["stat_data", "世界", "当前时间"],
    ["stat_data", "世界", "时间"],
    ["stat_data", "时间"],
    ["世界", "当前时间"],
    ["世界", "时间"],
    ["时间", "当前"],
    ["时间"],
    ["world", "time"],
    ["time"],
];

function timeOf(document: JsonObject): { time: string; timePath?: string[] } {
    for (const path of timePaths) {
        const value = at(document, path);
        const text = typeof value === "string" ? value : Array.isArray(value) && typeof value[0] === "string" ? value[0] : "";
        if (text) {
            return { time: text, timePath: path };
        }
    }
    return { time: "" };
}

// Counters of the table itself: of no interest to a reader of the story.
export function isBookkeepingPath(path: string): boolean {
    return /^\/campaign\/(turn|updated_at|milestone|tools|rolls|dialog|settings|checkpoints|state_refs|rollback_pending)(\/|$)/.test(path);
}
