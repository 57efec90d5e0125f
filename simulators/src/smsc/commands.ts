import type { ReceivedPdu } from "smpp";
import type { Accounts } from "./accounts.ts";
import { textField } from "./pdu-fields.ts";
import type { ReceiptQueue } from "./receipts/receipt-queue.ts";
import type { SessionRole, SmscSession } from "./smsc-session.ts";
import type { SubmitHandler } from "./submit-handler.ts";

/** SMPP 3.4, 5.1.3. */
const UNKNOWN_COMMAND = 0x03;
const WRONG_BIND_STATE = 0x04;
const ALREADY_BOUND = 0x05;
const SYSTEM_ID = "AIRTOWER-SMSC";

type Handle = (pdu: ReceivedPdu, session: SmscSession) => void;

/** What the simulator does on each command of a client. */
export function createCommands(
	accounts: Accounts,
	submits: SubmitHandler,
	receipts: ReceiptQueue,
) {
	/** `enquiries` are the clients', `enquiriesAnswered` its own. */
	const counts = { binds: 0, unbinds: 0, enquiries: 0, enquiriesAnswered: 0 };

	const bind: Handle = (pdu, session) => {
		counts.binds++;
		if (session.role !== undefined)
			return session.respond(pdu, {}, ALREADY_BOUND);
		const systemId = textField(pdu, "system_id");
		const status = accounts.check(systemId, textField(pdu, "password"));
		session.respond(pdu, { system_id: SYSTEM_ID }, status);
		if (status !== 0) return session.end();
		session.systemId = systemId;
		session.role = pdu.command.slice("bind_".length) as SessionRole;
		if (session.role !== "transmitter") receipts.join(session);
	};

	const handlers: Readonly<Record<string, Handle>> = {
		...{ bind_transceiver: bind, bind_transmitter: bind, bind_receiver: bind },
		unbind(pdu, session) {
			counts.unbinds++;
			session.respond(pdu);
			session.end();
		},
		enquire_link(pdu, session) {
			counts.enquiries++;
			session.respond(pdu);
		},
		enquire_link_resp: () => counts.enquiriesAnswered++,
		submit_sm(pdu, session) {
			const mayNot = session.role === undefined || session.role === "receiver";
			if (mayNot) session.respond(pdu, {}, WRONG_BIND_STATE);
			else submits.take(pdu, session);
		},
	};

	const handle: Handle = (pdu, session) => {
		const handler = handlers[pdu.command];
		if (handler !== undefined) handler(pdu, session);
		else if (!pdu.isResponse()) session.refuse(pdu, UNKNOWN_COMMAND);
	};

	return { counts, handle };
}
