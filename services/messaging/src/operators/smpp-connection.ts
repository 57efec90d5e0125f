import type { Socket } from "node:net";
import { FrameReader } from "./smpp-frames.ts";
import type { SmppLimits } from "./smpp-limits.ts";
import {
	decodePdu,
	encodePdu,
	isCutShort,
	type Pdu,
	type PduFields,
} from "./smpp-pdu.ts";

/** What became of a request. Every request settles exactly once, also when the socket dies. */
export type Answer =
	| { readonly kind: "answered"; readonly pdu: Pdu }
	/** Never handed to the socket. */
	| { readonly kind: "unwritten"; readonly why: string }
	/** Written, and no response came; `late`, when it still may come: undefined once the connection is closed. */
	| {
			readonly kind: "lost";
			readonly why: string;
			readonly late?: Promise<Pdu | undefined>;
	  };

export interface ConnectionEvents {
	onDelivery(pdu: Pdu): void;
	/** A response to nothing, or to what was given up long ago. */
	onStrayAnswer(pdu: Pdu): void;
	/** The peer takes leave: no more requests, the socket is about to close. */
	onUnbind(): void;
	onClose(why: string): void;
}

interface Waiting {
	readonly settle: (answer: Answer) => void;
	deadline: number;
}

const MAX_SEQUENCE = 0x7fffffff;
const INVALID_LENGTH = 0x02;
const UNKNOWN_COMMAND = 0x03;
const DELIVERIES = new Set(["deliver_sm", "data_sm"]);
const UNANSWERED = new Set(["alert_notification", "outbind"]);
const SWEEPS_PER_TIMEOUT = 20;
const MAX_SWEEP_MS = 1_000;
/** Most requests whose late response is still understood. */
const MAX_OVERDUE = 10_000;

export class SmppConnection {
	readonly #socket: Socket;
	readonly #limits: SmppLimits;
	readonly #events: ConnectionEvents;
	readonly #frames = new FrameReader();
	readonly #waiting = new Map<number, Waiting>();
	/** Requests that were given up, oldest first, with what takes the late response. */
	readonly #overdue = new Map<number, (pdu: Pdu | undefined) => void>();
	#outbox: Buffer[] = [];
	#unwritten: Waiting[] = [];
	#flush: NodeJS.Immediate | undefined;
	#timers: NodeJS.Timeout[] = [];
	#sequence = 0;
	#outstanding = 0;
	#closed: boolean = false;
	#why = "the operator closed the connection";

	constructor(socket: Socket, limits: SmppLimits, events: ConnectionEvents) {
		this.#socket = socket;
		this.#limits = limits;
		this.#events = events;
		socket.setNoDelay(true);
		socket.on("data", (chunk: Buffer) => this.#read(chunk));
		socket.on("error", (error) => this.#because(error.message));
		socket.on("close", () => this.#close());
		const sweepMs = limits.responseTimeoutMs / SWEEPS_PER_TIMEOUT;
		this.#every(Math.min(MAX_SWEEP_MS, sweepMs), () => this.#sweep());
	}

	/** Asks from now on whether the peer is alive; allowed once it is bound (2.3). */
	keepAlive(): void {
		if (this.#closed) return;
		this.#every(this.#limits.enquireLinkMs, () => this.#enquire());
	}

	/** submit_sm without a response yet: these alone fill the window. An enquire_link must go out while it is full. */
	get outstanding(): number {
		return this.#outstanding;
	}

	/** Sends a submit_sm; `settle` is called exactly once, never before this returns, its place free again. */
	submit(fields: PduFields, settle: (answer: Answer) => void): void {
		this.#outstanding++;
		this.request("submit_sm", fields, (answer) => {
			this.#outstanding--;
			settle(answer);
		});
	}

	request(
		command: string,
		fields: PduFields,
		settle: (answer: Answer) => void,
	): void {
		if (this.#closed) {
			queueMicrotask(() => settle({ kind: "unwritten", why: this.#why }));
			return;
		}
		this.#sequence = (this.#sequence % MAX_SEQUENCE) + 1;
		const waiting = { settle, deadline: 0 };
		this.#waiting.set(this.#sequence, waiting);
		this.#unwritten.push(waiting);
		this.#write(encodePdu(command, this.#sequence, fields));
	}

	/** Responds to a request of the peer; nothing happens once the socket is closed. */
	respond(
		{ command, sequence }: Pdu,
		status = 0,
		response = command === "unknown" ? "generic_nack" : `${command}_resp`,
	): void {
		if (!this.#closed) this.#write(encodePdu(response, sequence, {}, status));
	}

	/** Sends what is written so far, then closes; at once when the peer does not close its side soon. */
	end(why: string): void {
		this.#because(why);
		this.#flushNow();
		this.#socket.end();
		const { goodbyeMs } = this.#limits;
		setTimeout(() => this.#socket.destroy(), goodbyeMs).unref();
	}

	destroy(why: string): void {
		this.#because(why);
		this.#socket.destroy();
	}

	#because(why: string): void {
		if (!this.#closed) this.#why = why;
	}

	#every(ms: number, run: () => void): void {
		this.#timers.push(setInterval(run, ms));
	}

	/** One write to the socket per turn of the event loop, whatever the number of PDUs. */
	#write(octets: Buffer): void {
		this.#outbox.push(octets);
		this.#flush ??= setImmediate(() => this.#flushNow());
	}

	#flushNow(): void {
		clearImmediate(this.#flush);
		this.#flush = undefined;
		if (this.#outbox.length === 0 || !this.#socket.writable) return;
		const deadline = performance.now() + this.#limits.responseTimeoutMs;
		for (const waiting of this.#unwritten) waiting.deadline = deadline;
		this.#socket.write(Buffer.concat(this.#outbox));
		this.#outbox = [];
		this.#unwritten = [];
	}

	#read(chunk: Buffer): void {
		try {
			for (const frame of this.#frames.push(chunk))
				this.#take(decodePdu(frame));
		} catch (error) {
			this.destroy(error instanceof Error ? error.message : String(error));
		}
	}

	#take(pdu: Pdu): void {
		if (pdu.isResponse) this.#settle(pdu);
		else if (pdu.command === "enquire_link") this.respond(pdu);
		else if (pdu.command === "unbind") this.#unbind(pdu);
		else if (isCutShort(pdu)) this.respond(pdu, INVALID_LENGTH);
		else if (DELIVERIES.has(pdu.command)) this.#events.onDelivery(pdu);
		else if (!UNANSWERED.has(pdu.command))
			this.respond(pdu, UNKNOWN_COMMAND, "generic_nack");
	}

	#settle(pdu: Pdu): void {
		const { sequence } = pdu;
		const waiting = this.#waiting.get(sequence);
		const overdue = this.#overdue.get(sequence);
		this.#waiting.delete(sequence);
		this.#overdue.delete(sequence);
		if (waiting !== undefined) waiting.settle({ kind: "answered", pdu });
		else if (overdue !== undefined) overdue(pdu);
		else this.#events.onStrayAnswer(pdu);
	}

	#unbind(pdu: Pdu): void {
		this.respond(pdu);
		this.#because("the operator unbound");
		this.#events.onUnbind();
	}

	#enquire(): void {
		this.request("enquire_link", {}, (answer) => {
			if (answer.kind === "lost")
				this.destroy("the operator did not answer enquire_link");
		});
	}

	#sweep(): void {
		const now = performance.now();
		for (const [sequence, waiting] of this.#waiting) {
			if (waiting.deadline === 0 || waiting.deadline > now) return;
			this.#waiting.delete(sequence);
			const late = this.#lateAnswer(sequence);
			waiting.settle({ kind: "lost", why: "no answer in time", late });
		}
	}

	#lateAnswer(sequence: number): Promise<Pdu | undefined> {
		const { promise, resolve } = Promise.withResolvers<Pdu | undefined>();
		this.#overdue.set(sequence, resolve);
		const [oldest] = this.#overdue;
		if (this.#overdue.size > MAX_OVERDUE && oldest !== undefined) {
			this.#overdue.delete(oldest[0]);
			oldest[1](undefined);
		}
		return promise;
	}

	#close(): void {
		this.#closed = true;
		clearImmediate(this.#flush);
		for (const timer of this.#timers) clearInterval(timer);
		const why = this.#why;
		this.#events.onClose(why);
		for (const { settle, deadline } of this.#waiting.values())
			settle({ kind: deadline === 0 ? "unwritten" : "lost", why });
		this.#waiting.clear();
		for (const forget of this.#overdue.values()) forget(undefined);
		this.#overdue.clear();
	}
}
