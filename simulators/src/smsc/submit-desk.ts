import type { Pdu } from "@airtower/messaging/src/operators/smpp-pdu.ts";
import { type Behaviour, behaviourOf } from "./behaviour.ts";
import { messageNumbers, writeId } from "./message-ids.ts";
import type { ReceiptQueue } from "./receipt-queue.ts";
import type { SmscSettings } from "./settings.ts";
import type { SmscSession } from "./smsc-session.ts";
import { readSubmit, type SubmitRequest } from "./submit.ts";
import { submitFault } from "./submit-fault.ts";
import type { SubmitLog } from "./submit-log.ts";
import { Wheel } from "./wheel.ts";

/** SMPP 3.4, 5.1.3. */
const INVALID_DESTINATION = 0x0b;
const THROTTLED = 0x58;

/** Submits to a throttled number that are refused before one is taken. */
const THROTTLED_SUBMITS = 2;
/** How long the answer waits when the receipt goes first, ms. */
const RECEIPT_FIRST_MS = 100;

interface DelayedAnswer {
	readonly session: SmscSession;
	readonly pdu: Pdu;
	readonly id: string;
}

/** Decides on every submit, logs it, answers it and orders its receipts. */
export class SubmitDesk {
	readonly #settings: SmscSettings;
	readonly #log: SubmitLog;
	readonly #receipts: ReceiptQueue;
	readonly #nextNumber = messageNumbers();
	readonly #delayed = new Wheel<DelayedAnswer>((due) => {
		for (const answer of due) this.#answer(answer);
	});
	/** Refused submits by throttled recipient. */
	readonly #throttles = new Map<string, number>();
	#second = 0;
	#inSecond = 0;
	taken = 0;
	refused = 0;
	throttled = 0;
	/** Submits that the next ones are refused with, in order: a script for tests. */
	readonly scripted: number[] = [];

	constructor(settings: SmscSettings, log: SubmitLog, receipts: ReceiptQueue) {
		this.#settings = settings;
		this.#log = log;
		this.#receipts = receipts;
	}

	take(pdu: Pdu, session: SmscSession): void {
		const request = readSubmit(pdu);
		const behaviour = behaviourOf(request.destination, request.part);
		const status = submitFault(pdu) || this.#decide(request, behaviour);
		if (status === 0) this.#accept(pdu, session, request, behaviour);
		else this.#refuse(pdu, session, request, status);
	}

	stop(): void {
		this.#delayed.stop();
	}

	#decide(request: SubmitRequest, behaviour: Behaviour): number {
		const scripted = this.scripted.shift();
		if (scripted !== undefined) return scripted;
		if (this.#isTooFast()) return THROTTLED;
		if (behaviour.answer === "reject") return INVALID_DESTINATION;
		if (behaviour.answer !== "throttle") return 0;
		const before = this.#throttles.get(request.destination) ?? 0;
		if (before >= THROTTLED_SUBMITS) {
			this.#throttles.delete(request.destination);
			return 0;
		}
		this.#throttles.set(request.destination, before + 1);
		return THROTTLED;
	}

	#isTooFast(): boolean {
		const limit = this.#settings.submitsPerSecond;
		if (limit === 0) return false;
		const second = Math.floor(performance.now() / 1_000);
		if (second !== this.#second) this.#inSecond = 0;
		this.#second = second;
		return ++this.#inSecond > limit;
	}

	#accept(
		pdu: Pdu,
		session: SmscSession,
		request: SubmitRequest,
		behaviour: Behaviour,
	): void {
		const number = this.#nextNumber();
		const id = writeId(number, this.#settings.answerIds);
		const answered = behaviour.answer !== "lose" && !session.silent;
		this.taken++;
		this.#append(session, request, { id, status: 0, answered });
		session.countUnanswered(1);
		this.#orderReceipts(number, session, request, behaviour);
		if (behaviour.answer === "lose") return;
		const delayMs = behaviour.receiptFirst
			? RECEIPT_FIRST_MS
			: this.#settings.answerDelayMs;
		if (delayMs === 0) this.#answer({ session, pdu, id });
		else this.#delayed.add({ session, pdu, id }, delayMs);
	}

	#refuse(
		pdu: Pdu,
		session: SmscSession,
		request: SubmitRequest,
		status: number,
	): void {
		if (status === THROTTLED) this.throttled++;
		else this.refused++;
		this.#append(session, request, { id: "", status, answered: true });
		session.respond(pdu, {}, status);
	}

	#append(
		session: SmscSession,
		request: SubmitRequest,
		outcome: { id: string; status: number; answered: boolean },
	): void {
		const { systemId } = session;
		this.#log.append({ at: Date.now(), systemId, ...outcome, ...request });
	}

	#answer({ session, pdu, id }: DelayedAnswer): void {
		session.countUnanswered(-1);
		session.respond(pdu, { message_id: id });
	}

	#receiptDelayMs(behaviour: Behaviour): number {
		const { receiptDelayMs, timeFactor } = this.#settings;
		return behaviour.receiptDelayMs === undefined
			? receiptDelayMs
			: behaviour.receiptDelayMs * timeFactor;
	}

	#orderReceipts(
		number: bigint,
		session: SmscSession,
		request: SubmitRequest,
		behaviour: Behaviour,
	): void {
		if ((request.registeredDelivery & 1) === 0) return;
		const delayMs = this.#receiptDelayMs(behaviour);
		const submittedAt = Date.now();
		const receipt = {
			systemId: session.systemId,
			number,
			recipient: request.destination,
			sender: request.source,
			stat: behaviour.stat,
			err: behaviour.err,
			submittedAt,
			doneAt: submittedAt + delayMs,
		};
		for (let i = 0; i < behaviour.receipts; i++)
			if (behaviour.receiptFirst) this.#receipts.addNow(receipt);
			else this.#receipts.add(receipt, delayMs);
	}
}
