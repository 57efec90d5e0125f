import type { Socket } from "node:net";
import { FrameReader } from "@airtower/messaging/src/operators/smpp-frames.ts";
import {
	decodePdu,
	encodePdu,
	type Pdu,
	type PduFields,
} from "@airtower/messaging/src/operators/smpp-pdu.ts";

export type SessionRole = "transceiver" | "transmitter" | "receiver";

export interface SessionEvents {
	onPdu(pdu: Pdu, session: SmscSession): void;
	/** Before octets leave. */
	onFlush(): void;
	onClose(session: SmscSession): void;
}

/** One client connection of the simulator. */
export class SmscSession {
	readonly #socket: Socket;
	readonly #events: SessionEvents;
	readonly #frames = new FrameReader();
	#outbox: Buffer[] = [];
	#flush: NodeJS.Immediate | undefined;
	#sequence = 0;
	/** Account and role once bound. */
	systemId = "";
	role: SessionRole | undefined;
	/** Nothing leaves the session while it is silent; what would have left is lost. */
	silent: boolean;
	/** Submits taken and not answered, and the most there ever were. */
	unanswered = 0;
	peakUnanswered = 0;

	constructor(socket: Socket, silent: boolean, events: SessionEvents) {
		this.#socket = socket;
		this.silent = silent;
		this.#events = events;
		socket.setNoDelay(true);
		socket.on("data", (chunk: Buffer) => this.#read(chunk));
		socket.on("error", () => socket.destroy());
		socket.on("close", () => events.onClose(this));
	}

	/** Sends a request; returns its sequence number. */
	request(command: string, fields: PduFields = {}): number {
		this.#sequence++;
		this.#write(encodePdu(command, this.#sequence, fields));
		return this.#sequence;
	}

	/** Answers a request. */
	respond(request: Pdu, fields: PduFields = {}, status = 0): void {
		const command = `${request.command}_resp`;
		this.#write(encodePdu(command, request.sequence, fields, status));
	}

	/** Answers a request that it does not serve. */
	refuse(request: Pdu, status: number): void {
		this.#write(encodePdu("generic_nack", request.sequence, {}, status));
	}

	/** Counts a submit that waits for its answer, or one that got it. */
	countUnanswered(change: 1 | -1): void {
		this.unanswered += change;
		this.peakUnanswered = Math.max(this.peakUnanswered, this.unanswered);
	}

	/** Sends what is written so far, then closes. */
	end(): void {
		this.#flushNow();
		this.#socket.end();
	}

	/** Cuts the connection: what is written in this turn of the event loop is lost. */
	drop(): void {
		clearImmediate(this.#flush);
		this.#socket.destroy();
	}

	#read(chunk: Buffer): void {
		try {
			for (const frame of this.#frames.push(chunk))
				this.#events.onPdu(decodePdu(frame), this);
		} catch {
			this.drop();
		}
	}

	#write(octets: Buffer): void {
		if (this.silent) return;
		this.#outbox.push(octets);
		this.#flush ??= setImmediate(() => this.#flushNow());
	}

	#flushNow(): void {
		clearImmediate(this.#flush);
		this.#flush = undefined;
		if (this.#outbox.length === 0 || !this.#socket.writable) return;
		this.#events.onFlush();
		this.#socket.write(Buffer.concat(this.#outbox));
		this.#outbox = [];
	}
}
