import type { Fields } from "smpp";
import { Delays } from "../../delays.ts";
import { Fifo } from "../receipts/fifo.ts";
import type { SmscSettings } from "../settings.ts";
import type { SmscSession } from "../smsc-session.ts";

interface InFlight {
	readonly fields: Fields;
	readonly sentAt: number;
}

/** What had no response after this long is sent again, ms. */
const RESPONSE_TIMEOUT_MS = 10_000;
const SWEEP_MS = 1_000;

/** Holds deliver_sm of texts from phones until a client has taken them, each on the next of its connections. */
export class MessageQueue {
	readonly #settings: SmscSettings;
	readonly #delays = new Delays();
	readonly #sessions = new Map<SmscSession, Set<InFlight>>();
	readonly #sweep: NodeJS.Timeout;
	readonly #ready = new Fifo<Fields>();
	#next = 0;
	taken = 0;
	/** Sent again because a client refused them, or was gone before it responded. */
	again = 0;

	constructor(settings: SmscSettings) {
		this.#settings = settings;
		this.#sweep = setInterval(() => this.#sendAgainUnanswered(), SWEEP_MS);
	}

	get pending(): number {
		const inFlight = [...this.#sessions.values()].map(({ size }) => size);
		return inFlight.reduce(
			(sum, size) => sum + size,
			this.#ready.length + this.#delays.size,
		);
	}

	add(deliveries: readonly Fields[]): void {
		for (const fields of deliveries) this.#ready.push(fields);
		this.#pump();
	}

	join(session: SmscSession): void {
		this.#sessions.set(session, new Set());
		this.#pump();
	}

	leave(session: SmscSession): void {
		const lost = [...(this.#sessions.get(session) ?? [])];
		this.#sessions.delete(session);
		for (const { fields } of lost) this.#again(fields);
		this.#pump();
	}

	stop(): void {
		this.#delays.stop();
		clearInterval(this.#sweep);
	}

	#pump(): void {
		while (this.#ready.length > 0) {
			const session = this.#nextSession();
			if (session === undefined) return;
			const fields = this.#ready.shift();
			if (fields !== undefined) this.#send(fields, ...session);
		}
	}

	/** Sessions take turns; undefined while all of their windows are full. */
	#nextSession(): [SmscSession, Set<InFlight>] | undefined {
		const sessions = [...this.#sessions];
		for (let tried = 0; tried < sessions.length; tried++) {
			const one = sessions[this.#next++ % sessions.length];
			if (one === undefined || one[0].isSilent) continue;
			if (one[1].size < this.#settings.receiptWindow) return one;
		}
		return undefined;
	}

	#send(fields: Fields, session: SmscSession, inFlight: Set<InFlight>): void {
		const sent = { fields, sentAt: performance.now() };
		inFlight.add(sent);
		session.request("deliver_sm", fields, ({ command_status }) => {
			if (!inFlight.delete(sent)) return;
			if (command_status === 0) this.taken++;
			else
				this.#delays.run(this.#settings.redeliverMs, () => {
					this.#again(fields);
					this.#pump();
				});
			this.#pump();
		});
	}

	#again(fields: Fields): void {
		this.again++;
		this.#ready.push(fields);
	}

	#sendAgainUnanswered(): void {
		const tooOld = performance.now() - RESPONSE_TIMEOUT_MS;
		for (const inFlight of this.#sessions.values())
			for (const sent of inFlight) {
				if (sent.sentAt > tooOld) break;
				inFlight.delete(sent);
				this.#again(sent.fields);
			}
		this.#pump();
	}
}
