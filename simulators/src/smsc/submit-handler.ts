import type { ReceivedPdu } from "smpp";
import { Delays } from "../delays.ts";
import { type Behaviour, findBehaviour } from "./behaviour.ts";
import { messageNumbers, toMessageId } from "./message-ids.ts";
import type { ReceiptQueue } from "./receipts/receipt-queue.ts";
import type { SmscSettings } from "./settings.ts";
import type { SmscSession } from "./smsc-session.ts";
import { findFault } from "./submit-fault.ts";
import type { SubmitLog } from "./submit-log.ts";
import { parseSubmit, type SubmitRequest } from "./submit-request.ts";
import { SubmitStatus, THROTTLED } from "./submit-status.ts";

/** How long the response waits when the receipt goes first, ms. */
const RECEIPT_FIRST_MS = 100;

/** A submit that is being handled. */
interface Taking {
	readonly pdu: ReceivedPdu;
	readonly session: SmscSession;
	readonly request: SubmitRequest;
	readonly behaviour: Behaviour;
}

/** Decides on every submit, logs it, responds to it and orders its receipts. */
export class SubmitHandler {
	readonly counts = { taken: 0, refused: 0, throttled: 0 };
	readonly #settings: SmscSettings;
	readonly #log: SubmitLog;
	readonly #receipts: ReceiptQueue;
	readonly #status: SubmitStatus;
	readonly #nextNumber = messageNumbers();
	readonly #delays = new Delays();

	/** `settings` may change at any time. */
	constructor(settings: SmscSettings, log: SubmitLog, receipts: ReceiptQueue) {
		this.#settings = settings;
		this.#log = log;
		this.#receipts = receipts;
		this.#status = new SubmitStatus(settings);
	}

	/** The next submits get these statuses, in order; 0 lets one pass. */
	scriptStatuses(statuses: readonly number[]): void {
		this.#status.scripted.push(...statuses);
	}

	take(pdu: ReceivedPdu, session: SmscSession): void {
		const request = parseSubmit(pdu);
		const { destination, part } = request;
		const behaviour = findBehaviour(destination, part);
		const taking = { pdu, session, request, behaviour };
		const status =
			findFault(pdu) || this.#status.decide(destination, behaviour);
		if (status === 0) this.#accept(taking);
		else this.#refuse(taking, status);
	}

	stop(): void {
		this.#delays.stop();
	}

	#accept(taking: Taking): void {
		const { pdu, session, behaviour } = taking;
		const isLost = behaviour.answer === "lose";
		const number = this.#nextNumber();
		const id = toMessageId(number, this.#settings.answerIds);
		this.counts.taken++;
		const answered = !isLost && !session.isSilent;
		this.#append(taking, { id, status: 0, answered });
		session.countUnanswered(1);
		this.#orderReceipts(number, taking);
		if (isLost) return;
		const respond = () => {
			session.countUnanswered(-1);
			session.respond(pdu, { message_id: id });
		};
		const delayMs = behaviour.receiptFirst
			? RECEIPT_FIRST_MS
			: this.#settings.answerDelayMs;
		if (delayMs === 0) respond();
		else this.#delays.run(delayMs, respond);
	}

	#refuse(taking: Taking, status: number): void {
		if (status === THROTTLED) this.counts.throttled++;
		else this.counts.refused++;
		this.#append(taking, { id: "", status, answered: true });
		taking.session.respond(taking.pdu, {}, status);
	}

	#append(
		{ session, request }: Taking,
		outcome: { id: string; status: number; answered: boolean },
	): void {
		const { systemId } = session;
		this.#log.append({ at: Date.now(), systemId, ...outcome, ...request });
	}

	#orderReceipts(
		number: bigint,
		{ session, request, behaviour }: Taking,
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
		for (let i = 1; i <= behaviour.receipts; i++) {
			const one = { ...receipt, key: `${number}/${i}` };
			if (behaviour.receiptFirst) this.#receipts.addNow(one);
			else this.#receipts.add(one, delayMs);
		}
	}

	#receiptDelayMs({ receiptDelayMs }: Behaviour): number {
		const { receiptDelayMs: ordinaryMs, timeFactor } = this.#settings;
		return receiptDelayMs === undefined
			? ordinaryMs
			: receiptDelayMs * timeFactor;
	}
}
