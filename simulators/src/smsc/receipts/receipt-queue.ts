import { Delays } from "../../delays.ts";
import type { SmscSettings } from "../settings.ts";
import type { SmscSession } from "../smsc-session.ts";
import { Fifo } from "./fifo.ts";
import { type PendingReceipt, toReceiptFields } from "./receipt.ts";
import type { ReceiptJournal } from "./receipt-journal.ts";

interface InFlight {
	readonly receipt: PendingReceipt;
	readonly sentAt: number;
}

/** Receipts without a response after this long are sent again, ms. */
const RESPONSE_TIMEOUT_MS = 10_000;
const SWEEP_MS = 1_000;

/** Holds receipts until a client has taken them; with a journal's file also through a restart. */
export class ReceiptQueue {
	readonly #settings: SmscSettings;
	readonly #journal: ReceiptJournal;
	readonly #delays = new Delays();
	/** Due and not in flight, by account. */
	readonly #ready = new Map<string, Fifo<PendingReceipt>>();
	readonly #sessions = new Map<SmscSession, Set<InFlight>>();
	readonly #sweep: NodeJS.Timeout;
	delivered = 0;

	constructor(settings: SmscSettings, journal: ReceiptJournal) {
		this.#settings = settings;
		this.#journal = journal;
		for (const receipt of journal.kept) this.#later(receipt, receipt.doneAt);
		this.#sweep = setInterval(() => this.#sendAgainUnanswered(), SWEEP_MS);
	}

	/** Receipts that no client has taken yet. */
	get pending(): number {
		const ready = [...this.#ready.values()].map(({ length }) => length);
		const inFlight = [...this.#sessions.values()].map(({ size }) => size);
		return [...ready, ...inFlight].reduce(
			(sum, count) => sum + count,
			this.#delays.size,
		);
	}

	add(receipt: PendingReceipt, atOnce = false): void {
		this.#journal.ordered(receipt);
		if (atOnce) this.#onDue(receipt);
		else this.#later(receipt, receipt.doneAt);
	}

	join(session: SmscSession): void {
		this.#sessions.set(session, new Set());
		this.pump(session.systemId);
	}

	/** What was in flight on the session goes to another one. */
	leave(session: SmscSession): void {
		const lost = [...(this.#sessions.get(session) ?? [])];
		this.#sessions.delete(session);
		for (const { receipt } of lost) this.#onDue(receipt);
	}

	pump(systemId: string): void {
		const ready = this.#ready.get(systemId);
		if (ready === undefined || this.#settings.receiptsHeld) return;
		for (const [session, inFlight] of this.#sessions) {
			if (session.systemId !== systemId || session.isSilent) continue;
			while (inFlight.size < this.#settings.receiptWindow) {
				const receipt = ready.shift();
				if (receipt === undefined) return;
				this.#send(receipt, session, inFlight);
			}
		}
	}

	stop(): void {
		this.#delays.stop();
		clearInterval(this.#sweep);
	}

	#send(
		receipt: PendingReceipt,
		session: SmscSession,
		inFlight: Set<InFlight>,
	): void {
		const sent = { receipt, sentAt: performance.now() };
		inFlight.add(sent);
		const fields = toReceiptFields(receipt, this.#settings);
		session.request("deliver_sm", fields, ({ command_status }) => {
			if (!inFlight.delete(sent)) return;
			this.#settle(receipt, command_status);
			this.pump(session.systemId);
		});
	}

	#settle(receipt: PendingReceipt, status: number): void {
		if (status === 0) {
			this.delivered++;
			this.#journal.taken(receipt);
		} else this.#later(receipt, Date.now() + this.#settings.redeliverMs);
	}

	#later(receipt: PendingReceipt, dueAt: number): void {
		this.#delays.run(dueAt - Date.now(), () => this.#onDue(receipt));
	}

	#onDue(receipt: PendingReceipt): void {
		const { systemId } = receipt;
		const ready = this.#ready.get(systemId) ?? new Fifo<PendingReceipt>();
		this.#ready.set(systemId, ready);
		ready.push(receipt);
		this.pump(systemId);
	}

	#sendAgainUnanswered(): void {
		const tooOld = performance.now() - RESPONSE_TIMEOUT_MS;
		for (const inFlight of this.#sessions.values())
			for (const sent of inFlight) {
				if (sent.sentAt > tooOld) break;
				inFlight.delete(sent);
				this.#onDue(sent.receipt);
			}
	}
}
