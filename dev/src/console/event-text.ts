import { styleText } from "node:util";
import type { SystemEvent } from "../start/system.ts";
import { readLogLine } from "./log-line.ts";

const PROCESS_COLUMN = 20;
const PART_COLUMN = 16;

export function textFor(
	event: SystemEvent,
	verbose: boolean,
): string | undefined {
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
