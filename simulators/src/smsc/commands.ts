import type { ReceivedPdu } from "smpp";
import type { Accounts } from "./accounts.ts";
import { textField } from "./pdu-fields.ts";
import type { SmscSettings } from "./settings.ts";
import type { SessionRole, SmscSession } from "./smsc-session.ts";
import type { SubmitHandler } from "./submit-handler.ts";

/** SMPP 3.4, 5.1.3. */
const UNKNOWN_COMMAND = 0x03;
const WRONG_BIND_STATE = 0x04;
const ALREADY_BOUND = 0x05;
const BIND_FAILED = 0x0d;
const SYSTEM_ID = "AIRTOWER-SMSC";

/** What goes to clients by itself. */
interface DeliveryQueue {
	join(session: SmscSession): void;
	leave(session: SmscSession): void;
}

type Handle = (pdu: ReceivedPdu, session: SmscSession) => void;

const newCounts = () => ({
	/** `enquiries` are the clients', `enquiriesAnswered` its own. */
	binds: 0,
	unbinds: 0,
	enquiries: 0,
	enquiriesAnswered: 0,
	/** Most sessions that were bound at a time, and binds refused because of `maxBinds`. */
	peakSessions: 0,
	surplusBinds: 0,
});

/** What the simulator does on each command of a client. */
export function createCommands(
	settings: SmscSettings,
	accounts: Accounts,
	submits: SubmitHandler,
	queues: readonly DeliveryQueue[],
) {
	const counts = newCounts();
	const bound = new Set<SmscSession>();

	const check = (pdu: ReceivedPdu): number => {
		const [systemId, password] = ["system_id", "password"].map((name) =>
			textField(pdu, name),
		);
		const status = accounts.check(systemId ?? "", password ?? "");
		const { maxBinds } = settings;
		if (status !== 0 || maxBinds === 0 || bound.size < maxBinds) return status;
		counts.surplusBinds++;
		return BIND_FAILED;
	};

	const bind: Handle = (pdu, session) => {
		counts.binds++;
		if (session.role !== undefined)
			return session.respond(pdu, {}, ALREADY_BOUND);
		const status = check(pdu);
		session.respond(pdu, { system_id: SYSTEM_ID }, status);
		if (status !== 0) return session.end();
		session.systemId = textField(pdu, "system_id");
		session.role = pdu.command.slice("bind_".length) as SessionRole;
		bound.add(session);
		counts.peakSessions = Math.max(counts.peakSessions, bound.size);
		if (session.role !== "transmitter")
			for (const queue of queues) queue.join(session);
	};

	const leave = (session: SmscSession) => {
		bound.delete(session);
		for (const queue of queues) queue.leave(session);
	};

	const handlers: Readonly<Record<string, Handle>> = {
		bind_transceiver: bind,
		bind_transmitter: bind,
		bind_receiver: bind,
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

	return { counts, handle, leave };
}
