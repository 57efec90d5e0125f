import { setTimeout as delay } from "node:timers/promises";
import type { SystemEvent } from "../../start/system.ts";

const POLL_MS = 20;

type Crash = Extract<SystemEvent, { kind: "crashed" }>;

/** What the supervisor tells of processes that ended by themselves. */
export class CrashLog {
	readonly #unexpected: Crash[] = [];
	#expected:
		| { readonly process: string; readonly seen: () => void }
		| undefined;

	readonly note = (event: SystemEvent): void => {
		if (event.kind !== "crashed") return;
		if (this.#expected?.process === event.process) this.#expected.seen();
		else this.#unexpected.push(event);
	};

	/** Resolves once the process has ended, which is as it should be. @throws Error in one sentence */
	async untilCrashed(process: string, timeoutMs: number): Promise<void> {
		let hasEnded = false;
		const seen = () => {
			hasEnded = true;
		};
		this.#expected = { process, seen };
		try {
			const otherwise = `${process} has not ended`;
			await until(() => hasEnded, timeoutMs, otherwise);
		} finally {
			this.#expected = undefined;
		}
	}

	/** A sentence for each process that ended and was not made to, since the last call. */
	takeUnexpected(): string[] {
		const taken = this.#unexpected.splice(0);
		return taken.map(
			({ process, how }) => `${process} ended by itself: ${how}`,
		);
	}
}

/** @throws Error with the sentence and the time when it does not become true */
export async function until(
	isTrue: () => boolean | Promise<boolean>,
	timeoutMs: number,
	otherwise: string,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (!(await isTrue())) {
		if (Date.now() > deadline)
			throw new Error(`${otherwise} within ${timeoutMs / 1_000} s.`);
		await delay(POLL_MS);
	}
}
