import { styleText } from "node:util";
import type { SystemEvent } from "../start/system.ts";

export interface Reporter {
	readonly onEvent: (event: SystemEvent) => void;
	say(text: string): void;
	/** Trouble is shown from now on; before, a process that waits for another is no news. */
	listen(): void;
	/** Trouble is not shown any more: processes that end complain about each other. */
	silence(): void;
}

export function createReporter(verbose: boolean): Reporter {
	let listening = verbose;
	const say = (text: string) => process.stdout.write(`${text}\n`);
	return {
		say,
		listen() {
			listening = true;
		},
		silence() {
			listening = verbose;
		},
		onEvent(event) {
			const isStep = event.kind === "ready" || event.kind === "waiting";
			const text = listening || isStep ? textFor(event, verbose) : undefined;
			if (text !== undefined) say(`  ${text}`);
		},
	};
}

const PROCESS_COLUMN = 20;
const PART_COLUMN = 16;

function textFor(event: SystemEvent, verbose: boolean): string | undefined {
	switch (event.kind) {
		case "ready":
			return stepText(event.part, seconds(event.afterMs));
		case "waiting":
			return stepText(event.part, event.why);
		case "crashed": {
			const { process: name, how, restartInMs: ms } = event;
			const next =
				ms === undefined ? "" : `; it starts again in ${seconds(ms)}`;
			return styleText("yellow", `${name} ended (${how})${next}.`);
		}
		case "restarted":
			return `${event.process} is back.`;
		case "log":
			return logText(event.process, event.line, verbose);
	}
}

function stepText(part: string, text: string): string {
	return `${part.padEnd(PART_COLUMN)}${styleText("dim", text)}`;
}

function logText(name: string, line: string, verbose: boolean) {
	const { level, text, isTrouble } = readLogLine(line);
	if (!isTrouble && !verbose) return undefined;
	const who = styleText("dim", name.padEnd(PROCESS_COLUMN));
	return `${who}${level === "" ? "" : `${colored(level)} `}${text}`;
}

function colored(level: string): string {
	if (level === "warn") return styleText("yellow", level);
	const isError = level === "error" || level === "fatal";
	return styleText(isError ? "red" : "dim", level);
}

function seconds(ms: number): string {
	return `${(ms / 1_000).toFixed(1)} s`;
}

interface LogLine {
	readonly level: string;
	readonly text: string;
	readonly isTrouble: boolean;
}

interface PinoLine {
	readonly level: string;
	readonly msg?: string;
	readonly err?: { readonly message?: string };
}

const TROUBLE_LEVELS = ["warn", "error", "fatal"];

/** Reads a structured line; anything else a process says is plain text, and trouble unless it is empty. */
export function readLogLine(line: string): LogLine {
	const parsed = parse(line);
	if (parsed === undefined)
		return { level: "", text: line, isTrouble: line.trim() !== "" };
	const reason = parsed.err?.message;
	return {
		level: parsed.level,
		text: [parsed.msg, reason].filter(Boolean).join(": "),
		isTrouble: TROUBLE_LEVELS.includes(parsed.level),
	};
}

function parse(line: string): PinoLine | undefined {
	if (!line.startsWith("{")) return undefined;
	try {
		const value = JSON.parse(line) as Partial<PinoLine>;
		return typeof value.level === "string" ? (value as PinoLine) : undefined;
	} catch {
		return undefined;
	}
}
