import type { ReceivedPdu } from "smpp";
import { Delays } from "../delays.ts";
import { type Behaviour, findBehaviour } from "./behaviour.ts";
import { messageNumbers, toMessageId } from "./message-ids.ts";
import { orderedReceipts } from "./receipts/ordered-receipts.ts";
import type { ReceiptQueue } from "./receipts/receipt-queue.ts";
import type { SmscSettings } from "./settings.ts";
import type { SmscSession } from "./smsc-session.ts";
import { findFault } from "./submit-fault.ts";
import type { SubmitLog } from "./submit-log.ts";
import { parseSubmit, type SubmitRequest } from "./submit-request.ts";
import { createSubmitStatus, THROTTLED } from "./submit-status.ts";

const RECEIPT_FIRST_MS = 100;

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
	readonly #status;
	#nextNumber = messageNumbers();
	readonly #delays = new Delays();

	constructor(settings: SmscSettings, log: SubmitLog, receipts: ReceiptQueue) {
		this.#settings = settings;
		this.#log = log;
		this.#receipts = receipts;
		this.#status = createSubmitStatus(settings);
	}

	scriptStatuses(statuses: readonly number[]): void {
		this.#status.scripted.push(...statuses);
	}

	countAnew(): void {
		this.#nextNumber = messageNumbers(0n);
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
		const { pdu, session, behaviour, request } = taking;
		const number = this.#nextNumber();
		const id = toMessageId(number, this.#settings.answerIds);
		this.counts.taken++;
		const isLost = behaviour.response === "lose";
		const answered = !isLost && !session.isSilent;
		this.#append(taking, { id, status: 0, answered });
		session.countUnanswered(1);
		for (const receipt of orderedReceipts(
			{ systemId: session.systemId, number, request, behaviour },
			this.#settings,
		))
			this.#receipts.add(receipt, behaviour.receiptFirst);
		if (!isLost) this.#respond(pdu, session, id, behaviour);
	}

	#respond(
		pdu: ReceivedPdu,
		session: SmscSession,
		id: string,
		{ receiptFirst }: Behaviour,
	): void {
		const respond = () => {
			session.countUnanswered(-1);
			session.respond(pdu, { message_id: id });
		};
		const delayMs = receiptFirst
			? RECEIPT_FIRST_MS
			: this.#settings.answerDelayMs;
		if (delayMs === 0) respond();
		else this.#delays.run(delayMs, respond);
	}

	#refuse(taking: Taking, status: number): void {
		this.counts[status === THROTTLED ? "throttled" : "refused"]++;
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
}
