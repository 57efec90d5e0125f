import { styleText } from "node:util";
import { readLogLine } from "./log-line.ts";
import type { SystemEvent } from "./system.ts";

export interface Reporter {
	readonly onEvent: (event: SystemEvent) => void;
	say(text: string): void;
	/** Trouble is shown from now on; before, a process that waits for another is no news. */
	listen(): void;
	/** Trouble is not shown any more: processes that end complain about each other. */
	hush(): void;
}

const PROCESS_COLUMN = 20;
const PART_COLUMN = 16;
/** What the start itself has to tell. */
const STEPS: readonly SystemEvent["kind"][] = ["ready", "waiting"];

/** Writes what happens for a person: calm by default, everything with `verbose`. */
export function createReporter(verbose: boolean): Reporter {
	let listening = verbose;
	return {
		say: (text) => process.stdout.write(`${text}\n`),
		listen() {
			listening = true;
		},
		hush() {
			listening = verbose;
		},
		onEvent(event) {
			const text = textOf(event, verbose);
			if (text !== undefined && (listening || STEPS.includes(event.kind)))
				process.stdout.write(`${text}\n`);
		},
	};
}

function textOf(event: SystemEvent, verbose: boolean): string | undefined {
	switch (event.kind) {
		case "ready":
			return `  ${event.part.padEnd(PART_COLUMN)}${styleText("dim", seconds(event.afterMs))}`;
		case "waiting":
			return `  ${event.part.padEnd(PART_COLUMN)}${styleText("dim", event.why)}`;
		case "crashed":
			return crashText(event);
		case "restarted":
			return `  ${event.process} is back.`;
		case "log":
			return logText(event.process, event.line, verbose);
	}
}

function crashText(event: Extract<SystemEvent, { kind: "crashed" }>): string {
	const next =
		event.restartInMs === undefined
			? ""
			: `; it starts again in ${seconds(event.restartInMs)}`;
	return styleText("yellow", `  ${event.process} ended (${event.how})${next}.`);
}

function logText(
	name: string,
	line: string,
	verbose: boolean,
): string | undefined {
	const { level, text, isTrouble } = readLogLine(line);
	if (!isTrouble && !verbose) return undefined;
	const who = styleText("dim", name.padEnd(PROCESS_COLUMN));
	return `  ${who}${level === "" ? "" : `${colored(level)} `}${text}`;
}

function colored(level: string): string {
	if (level === "warn") return styleText("yellow", level);
	return level === "error" || level === "fatal"
		? styleText("red", level)
		: styleText("dim", level);
}

function seconds(ms: number): string {
	return `${(ms / 1_000).toFixed(1)} s`;
}
