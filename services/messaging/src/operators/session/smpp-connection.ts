import type { Socket } from "node:net";
import { PendingRequests, type Response } from "./pending-requests.ts";
import type { SmppLimits } from "./smpp-limits.ts";
import {
	decodePdu,
	encodePdu,
	FrameReader,
	isCutShort,
	type Pdu,
	type PduFields,
} from "./smpp-pdu.ts";

interface ConnectionEvents {
	onDelivery(pdu: Pdu): void;
	/** A response to nothing, or to what was given up long ago. */
	onStrayResponse(pdu: Pdu): void;
	/** The peer takes leave: no more requests, the socket is about to close. */
	onUnbind(): void;
	/** True when nothing came within the time of an enquire_link, false when something comes after all. */
	onSilence(isSilent: boolean): void;
	onClose(why: string): void;
}

const INVALID_LENGTH = 0x02;
const UNKNOWN_COMMAND = 0x03;
const DELIVERIES = new Set(["deliver_sm", "data_sm"]);
const WITHOUT_RESPONSE = new Set(["alert_notification", "outbind"]);
const SWEEPS_PER_TIMEOUT = 20;
const MAX_SWEEP_MS = 1_000;

export class SmppConnection {
	readonly #socket: Socket;
	readonly #limits: SmppLimits;
	readonly #events: ConnectionEvents;
	readonly #frames = new FrameReader();
	readonly #pending = new PendingRequests();
	#outbox: Buffer[] = [];
	#flush: NodeJS.Immediate | undefined;
	#timers: NodeJS.Timeout[] = [];
	#outstanding = 0;
	#closed: boolean = false;
	/** A time of `performance.now()`. */
	#heardAt = performance.now();
	#silent: boolean = false;
	#silence: NodeJS.Timeout | undefined;
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
		this.#every(Math.min(MAX_SWEEP_MS, sweepMs), () =>
			this.#pending.giveUpExpired(),
		);
	}

	/** Asks from now on whether the peer is alive; allowed once it is bound (2.3). */
	keepAlive(): void {
		if (this.#closed) return;
		this.#every(this.#limits.enquireLinkMs, () => this.#enquire());
	}

	/** submit_sm without a response: these alone fill the window, for an enquire_link must go out while it is full. */
	get outstanding(): number {
		return this.#outstanding;
	}

	/**
	 * Sends a submit_sm; `settle` is called exactly once, never before this returns, its slot in the window free again.
	 */
	submit(fields: PduFields, settle: (response: Response) => void): void {
		this.#outstanding++;
		this.request("submit_sm", fields, (response) => {
			this.#outstanding--;
			settle(response);
		});
	}

	request(
		command: string,
		fields: PduFields,
		settle: (response: Response) => void,
	): void {
		if (this.#closed)
			queueMicrotask(() => settle({ kind: "unwritten", why: this.#why }));
		else this.#write(encodePdu(command, this.#pending.add(settle), fields));
	}

	/** Nothing happens once the socket is closed. */
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
		const { unbindTimeoutMs } = this.#limits;
		setTimeout(() => this.#socket.destroy(), unbindTimeoutMs).unref();
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
		this.#pending.markWritten(
			performance.now() + this.#limits.responseTimeoutMs,
		);
		this.#socket.write(Buffer.concat(this.#outbox));
		this.#outbox = [];
	}

	#read(chunk: Buffer): void {
		this.#heardAt = performance.now();
		if (this.#silent) this.#setSilent(false);
		try {
			for (const frame of this.#frames.push(chunk))
				this.#take(decodePdu(frame));
		} catch (error) {
			this.destroy(error instanceof Error ? error.message : String(error));
		}
	}

	#take(pdu: Pdu): void {
		if (pdu.isResponse) {
			if (!this.#pending.settle(pdu)) this.#events.onStrayResponse(pdu);
		} else if (pdu.command === "enquire_link") this.respond(pdu);
		else if (pdu.command === "unbind") this.#unbind(pdu);
		else if (isCutShort(pdu)) this.respond(pdu, INVALID_LENGTH);
		else if (DELIVERIES.has(pdu.command)) this.#events.onDelivery(pdu);
		else if (!WITHOUT_RESPONSE.has(pdu.command))
			this.respond(pdu, UNKNOWN_COMMAND, "generic_nack");
	}

	#unbind(pdu: Pdu): void {
		this.respond(pdu);
		this.#because("the operator unbound");
		this.#events.onUnbind();
	}

	/** Whatever comes is a sign of life: an operator that responds in turn may have much to respond to before. */
	#enquire(): void {
		const askedAt = performance.now();
		// Where this process stood still itself, its timers come before what has come in: that is read in between.
		this.#silence ??= setTimeout(
			() => setImmediate(() => this.#judgeSilence(askedAt)),
			this.#limits.enquireTimeoutMs,
		);
		this.request("enquire_link", {}, (response) => {
			if (response.kind === "lost")
				this.destroy("the operator did not respond to enquire_link");
		});
	}

	#judgeSilence(askedAt: number): void {
		this.#silence = undefined;
		const isSilent = !this.#closed && this.#heardAt < askedAt;
		if (isSilent && !this.#silent) this.#setSilent(true);
	}

	#setSilent(isSilent: boolean): void {
		this.#silent = isSilent;
		this.#events.onSilence(isSilent);
	}

	#close(): void {
		this.#closed = true;
		clearTimeout(this.#silence);
		clearImmediate(this.#flush);
		for (const timer of this.#timers) clearInterval(timer);
		const why = this.#why;
		this.#events.onClose(why);
		this.#pending.giveUpAll(why);
	}
}
