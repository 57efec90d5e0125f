import { Fifo } from "./fifo.ts";
import type { PendingReceipt } from "./receipt.ts";
import type { ReceiptJournal } from "./receipt-journal.ts";
import type { SmscSettings } from "./settings.ts";
import type { SmscSession } from "./smsc-session.ts";
import { Wheel } from "./wheel.ts";

interface OnItsWay {
	readonly receipt: PendingReceipt;
	readonly sentAt: number;
}

/** Receipts without an answer after this long are sent again, ms. */
const ANSWER_TIMEOUT_MS = 10_000;
const SWEEP_MS = 1_000;

/**
 * Holds receipts until a client has answered them with success: through delays, refusals,
 * lost sessions and times without any session; with a journal's file also through a restart.
 */
export class ReceiptQueue {
	readonly #settings: Pick<SmscSettings, "redeliverMs" | "receiptWindow">;
	readonly #send: (receipt: PendingReceipt, session: SmscSession) => number;
	readonly #journal: ReceiptJournal;
	readonly #wheel = new Wheel<PendingReceipt>((due) => this.#due(due));
	/** Due and not on their way, by account. */
	readonly #ready = new Map<string, Fifo<PendingReceipt>>();
	readonly #sessions = new Map<SmscSession, Map<number, OnItsWay>>();
	readonly #sweep: NodeJS.Timeout;
	#onItsWay = 0;
	#delivered = 0;

	/** `settings` may change at any time; `send` returns the sequence number of the deliver_sm. */
	constructor(
		settings: Pick<SmscSettings, "redeliverMs" | "receiptWindow">,
		send: (receipt: PendingReceipt, session: SmscSession) => number,
		journal: ReceiptJournal,
	) {
		this.#settings = settings;
		this.#send = send;
		this.#journal = journal;
		for (const receipt of journal.kept)
			this.#wheel.add(receipt, Math.max(0, receipt.doneAt - Date.now()));
		this.#sweep = setInterval(() => this.#sendAgainUnanswered(), SWEEP_MS);
	}

	/** Receipts not answered with success yet. */
	get pending(): number {
		let ready = 0;
		for (const fifo of this.#ready.values()) ready += fifo.length;
		return this.#wheel.size + ready + this.#onItsWay;
	}

	/** Receipts answered with success. */
	get delivered(): number {
		return this.#delivered;
	}

	add(receipt: PendingReceipt, delayMs: number): void {
		this.#journal.ordered(receipt);
		this.#wheel.add(receipt, delayMs);
	}

	/** Sends a receipt at once when a session of the account has room. */
	addNow(receipt: PendingReceipt): void {
		this.#journal.ordered(receipt);
		this.#due([receipt]);
	}

	/** A session that can receive has been bound. */
	join(session: SmscSession): void {
		this.#sessions.set(session, new Map());
		this.pump(session.systemId);
	}

	/** A session is gone: what was on its way goes to another one. */
	leave(session: SmscSession): void {
		const lost = this.#sessions.get(session);
		if (lost === undefined) return;
		this.#sessions.delete(session);
		this.#onItsWay -= lost.size;
		this.#due([...lost.values()].map(({ receipt }) => receipt));
	}

	/** The client answered a deliver_sm. */
	answered(session: SmscSession, sequence: number, status: number): void {
		const onItsWay = this.#sessions.get(session);
		const entry = onItsWay?.get(sequence);
		if (onItsWay === undefined || entry === undefined) return;
		onItsWay.delete(sequence);
		this.#onItsWay--;
		if (status === 0) {
			this.#delivered++;
			this.#journal.taken(entry.receipt);
		} else this.#wheel.add(entry.receipt, this.#settings.redeliverMs);
		this.pump(session.systemId);
	}

	/** Sends what is due to the sessions of an account. */
	pump(systemId: string): void {
		const ready = this.#ready.get(systemId);
		if (ready === undefined) return;
		for (const [session, onItsWay] of this.#sessions) {
			if (session.systemId !== systemId || session.silent) continue;
			while (onItsWay.size < this.#settings.receiptWindow) {
				const receipt = ready.shift();
				if (receipt === undefined) return;
				const sequence = this.#send(receipt, session);
				onItsWay.set(sequence, { receipt, sentAt: performance.now() });
				this.#onItsWay++;
			}
		}
	}

	stop(): void {
		this.#wheel.stop();
		clearInterval(this.#sweep);
	}

	#due(receipts: readonly PendingReceipt[]): void {
		const accounts = new Set<string>();
		for (const receipt of receipts) {
			accounts.add(receipt.systemId);
			this.#fifo(receipt.systemId).push(receipt);
		}
		for (const systemId of accounts) this.pump(systemId);
	}

	#fifo(systemId: string): Fifo<PendingReceipt> {
		const existing = this.#ready.get(systemId);
		if (existing !== undefined) return existing;
		const fifo = new Fifo<PendingReceipt>();
		this.#ready.set(systemId, fifo);
		return fifo;
	}

	#sendAgainUnanswered(): void {
		const tooOld = performance.now() - ANSWER_TIMEOUT_MS;
		for (const onItsWay of this.#sessions.values())
			for (const [sequence, { receipt, sentAt }] of onItsWay) {
				if (sentAt > tooOld) break;
				onItsWay.delete(sequence);
				this.#onItsWay--;
				this.#due([receipt]);
			}
	}
}
