import type { Pdu } from "./smpp-pdu.ts";

/** What became of a request. Every request settles exactly once, also when the socket dies. */
export type Response =
	| { readonly kind: "responded"; readonly pdu: Pdu }
	/** Never handed to the socket. */
	| { readonly kind: "unwritten"; readonly why: string }
	/** Written, and no response came; `late`, when it still may come: undefined once the connection is closed. */
	| {
			readonly kind: "lost";
			readonly why: string;
			readonly late?: Promise<Pdu | undefined>;
	  };

interface Waiting {
	readonly settle: (response: Response) => void;
	/** A time of `performance.now()`; 0 until the request is written. */
	deadline: number;
}

const MAX_SEQUENCE = 0x7fffffff;
/** Most requests whose late response is still understood. */
const MAX_OVERDUE = 10_000;

/** The requests of one session that wait for their responses. */
export class PendingRequests {
	readonly #waiting = new Map<number, Waiting>();
	/** Given up, oldest first, with what takes the late response. */
	readonly #overdue = new Map<number, (pdu: Pdu | undefined) => void>();
	#unwritten: Waiting[] = [];
	#sequence = 0;

	/** Returns the sequence number of a new request. */
	add(settle: (response: Response) => void): number {
		this.#sequence = (this.#sequence % MAX_SEQUENCE) + 1;
		const waiting = { settle, deadline: 0 };
		this.#waiting.set(this.#sequence, waiting);
		this.#unwritten.push(waiting);
		return this.#sequence;
	}

	markWritten(deadline: number): void {
		for (const waiting of this.#unwritten) waiting.deadline = deadline;
		this.#unwritten = [];
	}

	/** False for a response to nothing, or to what was given up long ago. */
	settle(pdu: Pdu): boolean {
		const { sequence } = pdu;
		const waiting = this.#waiting.get(sequence);
		const overdue = this.#overdue.get(sequence);
		this.#waiting.delete(sequence);
		this.#overdue.delete(sequence);
		waiting?.settle({ kind: "responded", pdu });
		overdue?.(pdu);
		return waiting !== undefined || overdue !== undefined;
	}

	giveUpExpired(): void {
		const now = performance.now();
		for (const [sequence, waiting] of this.#waiting) {
			if (waiting.deadline === 0 || waiting.deadline > now) return;
			this.#waiting.delete(sequence);
			const late = this.#lateResponse(sequence);
			waiting.settle({ kind: "lost", why: "no response in time", late });
		}
	}

	giveUpAll(why: string): void {
		for (const { settle, deadline } of this.#waiting.values())
			settle({ kind: deadline === 0 ? "unwritten" : "lost", why });
		this.#waiting.clear();
		for (const forget of this.#overdue.values()) forget(undefined);
		this.#overdue.clear();
	}

	#lateResponse(sequence: number): Promise<Pdu | undefined> {
		const { promise, resolve } = Promise.withResolvers<Pdu | undefined>();
		this.#overdue.set(sequence, resolve);
		const [oldest] = this.#overdue;
		if (this.#overdue.size > MAX_OVERDUE && oldest !== undefined) {
			this.#overdue.delete(oldest[0]);
			oldest[1](undefined);
		}
		return promise;
	}
}
