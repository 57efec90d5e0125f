import type { ReceivedPdu } from "smpp";
import type { Accounts } from "./accounts.ts";
import type { ReceiptQueue } from "./receipts/receipt-queue.ts";
import type { SessionRole, SmscSession } from "./smsc-session.ts";
import type { SubmitHandler } from "./submit-handler.ts";
import { textField } from "./submit-request.ts";

/** SMPP 3.4, 5.1.3. */
const UNKNOWN_COMMAND = 0x03;
const WRONG_BIND_STATE = 0x04;
const ALREADY_BOUND = 0x05;
const SYSTEM_ID = "AIRTOWER-SMSC";

type Handle = (pdu: ReceivedPdu, session: SmscSession) => void;

/** What the simulator does on each command of a client. */
export class SmscCommands {
	readonly counts = {
		binds: 0,
		unbinds: 0,
		/** enquire_link of clients, and responses to its own. */
		enquiries: 0,
		enquiriesAnswered: 0,
	};
	readonly #accounts: Accounts;
	readonly #submits: SubmitHandler;
	readonly #receipts: ReceiptQueue;
	readonly #handlers: Readonly<Record<string, Handle>> = {
		bind_transceiver: (pdu, session) => this.#bind(pdu, session),
		bind_transmitter: (pdu, session) => this.#bind(pdu, session),
		bind_receiver: (pdu, session) => this.#bind(pdu, session),
		unbind: (pdu, session) => this.#unbind(pdu, session),
		enquire_link: (pdu, session) => this.#enquire(pdu, session),
		enquire_link_resp: () => this.counts.enquiriesAnswered++,
		submit_sm: (pdu, session) => this.#submit(pdu, session),
	};

	constructor(
		accounts: Accounts,
		submits: SubmitHandler,
		receipts: ReceiptQueue,
	) {
		this.#accounts = accounts;
		this.#submits = submits;
		this.#receipts = receipts;
	}

	handle(pdu: ReceivedPdu, session: SmscSession): void {
		const handler = this.#handlers[pdu.command];
		if (handler !== undefined) handler(pdu, session);
		else if (!pdu.isResponse()) session.refuse(pdu, UNKNOWN_COMMAND);
	}

	#bind(pdu: ReceivedPdu, session: SmscSession): void {
		this.counts.binds++;
		if (session.role !== undefined) {
			session.respond(pdu, {}, ALREADY_BOUND);
			return;
		}
		const systemId = textField(pdu, "system_id");
		const status = this.#accounts.check(systemId, textField(pdu, "password"));
		session.respond(pdu, { system_id: SYSTEM_ID }, status);
		if (status !== 0) {
			session.end();
			return;
		}
		session.systemId = systemId;
		session.role = pdu.command.slice("bind_".length) as SessionRole;
		if (session.role !== "transmitter") this.#receipts.join(session);
	}

	#unbind(pdu: ReceivedPdu, session: SmscSession): void {
		this.counts.unbinds++;
		session.respond(pdu);
		session.end();
	}

	#enquire(pdu: ReceivedPdu, session: SmscSession): void {
		this.counts.enquiries++;
		session.respond(pdu);
	}

	#submit(pdu: ReceivedPdu, session: SmscSession): void {
		const mayNot = session.role === undefined || session.role === "receiver";
		if (mayNot) session.respond(pdu, {}, WRONG_BIND_STATE);
		else this.#submits.take(pdu, session);
	}
}
