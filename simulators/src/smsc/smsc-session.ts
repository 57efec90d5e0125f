import type { Command, Fields, ReceivedPdu, Session } from "smpp";

export type SessionRole = "transceiver" | "transmitter" | "receiver";

export class SmscSession {
	readonly #session: Session;
	readonly #beforeWrite: () => void;
	#flush: NodeJS.Immediate | undefined;
	systemId = "";
	role: SessionRole | undefined;
	/** While it is silent, everything that would be sent is lost. */
	isSilent: boolean;
	/** Submits taken and without a response, and the most there ever were. */
	unanswered = 0;
	peakUnanswered = 0;

	constructor(session: Session, isSilent: boolean, beforeWrite: () => void) {
		this.#session = session;
		this.isSilent = isSilent;
		this.#beforeWrite = beforeWrite;
		session.socket.setNoDelay(true);
		session.on("error", () => this.drop());
	}

	request(
		command: Command,
		fields: Fields = {},
		onResponse?: (response: ReceivedPdu) => void,
	): void {
		this.#write(() => this.#session[command](fields, onResponse));
	}

	respond(request: ReceivedPdu, fields: Fields = {}, status = 0): void {
		const response = request.response({ ...fields, command_status: status });
		this.#write(() => this.#session.send(response));
	}

	refuse({ sequence_number }: ReceivedPdu, status: number): void {
		this.request("generic_nack", { sequence_number, command_status: status });
	}

	countUnanswered(change: 1 | -1): void {
		this.unanswered += change;
		this.peakUnanswered = Math.max(this.peakUnanswered, this.unanswered);
	}

	end(): void {
		this.#flushNow();
		this.#session.socket.end();
	}

	drop(): void {
		clearImmediate(this.#flush);
		this.#session.socket.destroy();
	}

	/** All that is written in one turn of the event loop leaves together. */
	#write(send: () => boolean): void {
		if (this.isSilent) return;
		if (this.#flush === undefined) {
			this.#session.socket.cork();
			this.#flush = setImmediate(() => this.#flushNow());
		}
		send();
	}

	#flushNow(): void {
		if (this.#flush === undefined) return;
		clearImmediate(this.#flush);
		this.#flush = undefined;
		this.#beforeWrite();
		this.#session.socket.uncork();
	}
}
