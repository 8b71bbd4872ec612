// Commands of the composer: a slash and a word.
import type { Key } from "../../i18n/index.svelte";
import { t } from "../../i18n/index.svelte";
import { notices } from "../../state/notices.svelte";
import { router } from "../../state/router.svelte";
import type { Session } from "../../state/session.svelte";

export interface Command {
    name: string;
    about: Key;
    run: (session: Session, rest: string) => Promise<unknown> | void;
}

export const commands: Command[] = [
    { name: "reroll", about: "command.reroll", run: (session) => session.reroll() },
    {
        name: "save",
        about: "command.save",
        run: async (session, rest) => {
            const label = rest || new Date().toISOString().slice(0, 16);
            if (await session.checkpoint(label)) {
                notices.show({ tone: "info", text: t("checkpoint.done", label) });
            }
        },
    },
    {
        name: "back",
        about: "command.back",
        run: (session, rest) => (rest ? session.rollback(rest) : stepBack(session)).then(() => undefined),
    },
    { name: "undo", about: "command.undo", run: (session) => session.undo() },
    { name: "state", about: "command.state", run: (session, rest) => router.go(session.id, "state", rest) },
    { name: "history", about: "command.history", run: (session) => router.go(session.id, "history") },
];

function stepBack(session: Session): Promise<boolean> {
    const parent = session.lastReply?.parent;
    return parent ? session.rollback(parent) : Promise.resolve(false);
}

// Lists itself: the composer shows what can follow a slash.
export const helpName = "help";

// False: not a command; it is said as it is.
export async function runCommand(session: Session, line: string): Promise<boolean> {
    const [name, ...rest] = line.trim().split(/\s+/);
    const command = commands.find((each) => each.name === name);
    await command?.run(session, rest.join(" "));
    return command !== undefined;
}
