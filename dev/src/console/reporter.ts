import type { SystemEvent } from "../start/system.ts";
import { textFor } from "./event-text.ts";

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
