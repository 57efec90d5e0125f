import { type AddressInfo, createServer, type Socket } from "node:net";
import {
	type Pdu,
	type PduFields,
	textField,
} from "@airtower/messaging/src/operators/smpp-pdu.ts";
import { Accounts } from "./accounts.ts";
import { receiptFields } from "./receipt.ts";
import { ReceiptJournal } from "./receipt-journal.ts";
import { ReceiptQueue } from "./receipt-queue.ts";
import { defaultSettings, type SmscSettings } from "./settings.ts";
import { type SessionRole, SmscSession } from "./smsc-session.ts";
import { SubmitDesk } from "./submit-desk.ts";
import { SubmitLog } from "./submit-log.ts";

export interface SmscOptions {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default: a free one. */
	readonly port?: number;
	/** Passwords by system id; default airtower:airtower. */
	readonly accounts?: Readonly<Record<string, string>>;
	readonly settings?: Partial<SmscSettings>;
	/** File to which every submit is appended, one JSON object a line. */
	readonly logFile?: string;
	/** Submits kept in memory, default 500,000. */
	readonly logKeep?: number;
	/** File that keeps the receipts that no client has taken; without one a restart forgets them. */
	readonly receiptsFile?: string;
}

export interface SmscStats {
	/** Bound sessions now, and bind attempts ever. */
	readonly sessions: number;
	readonly binds: number;
	readonly unbinds: number;
	/** Submits by what became of them. */
	readonly taken: number;
	readonly refused: number;
	readonly throttled: number;
	/** Most unanswered submits that one session ever had. */
	readonly peakUnanswered: number;
	readonly receiptsPending: number;
	readonly receiptsDelivered: number;
	/** enquire_link of clients, and answers to its own. */
	readonly enquiries: number;
	readonly enquiriesAnswered: number;
}

const DEFAULT_LOG_KEEP = 500_000;
const UNKNOWN_COMMAND = 0x03;
const WRONG_BIND_STATE = 0x04;
const ALREADY_BOUND = 0x05;
const SYSTEM_ID = "AIRTOWER-SMSC";

/** A simulated operator: an SMPP 3.4 server on a real socket. */
export class Smsc {
	/** Changes take effect at once. */
	readonly settings: SmscSettings;
	/** Everything that was submitted. */
	readonly log: SubmitLog;
	readonly #options: SmscOptions;
	readonly #server = createServer((socket) => this.#connected(socket));
	readonly #accounts: Accounts;
	readonly #journal: ReceiptJournal;
	readonly #receipts: ReceiptQueue;
	readonly #desk: SubmitDesk;
	readonly #sessions = new Set<SmscSession>();
	readonly #counts = { binds: 0, unbinds: 0, enquiries: 0, enquired: 0 };
	#peakUnanswered = 0;
	#silent: boolean = false;

	constructor(options: SmscOptions = {}) {
		this.#options = options;
		this.settings = { ...defaultSettings, ...options.settings };
		const keep = options.logKeep ?? DEFAULT_LOG_KEEP;
		this.log = new SubmitLog(keep, options.logFile);
		this.#accounts = new Accounts(options.accounts ?? { airtower: "airtower" });
		this.#journal = new ReceiptJournal(options.receiptsFile);
		this.#receipts = new ReceiptQueue(
			this.settings,
			(receipt, session) =>
				session.request("deliver_sm", receiptFields(receipt, this.settings)),
			this.#journal,
		);
		this.#desk = new SubmitDesk(this.settings, this.log, this.#receipts);
	}

	/** Listens. Rejects when the port is taken. */
	listen(): Promise<void> {
		const { host = "127.0.0.1", port = 0 } = this.#options;
		return new Promise((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(port, host, () => resolve());
		});
	}

	/** The port it listens on. */
	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get stats(): SmscStats {
		const { enquired, ...counts } = this.#counts;
		const sessions = [...this.#sessions];
		const peaks = sessions.map((session) => session.peakUnanswered);
		return {
			...counts,
			enquiriesAnswered: enquired,
			sessions: sessions.filter((session) => session.role !== undefined).length,
			taken: this.#desk.taken,
			refused: this.#desk.refused,
			throttled: this.#desk.throttled,
			peakUnanswered: Math.max(this.#peakUnanswered, ...peaks),
			receiptsPending: this.#receipts.pending,
			receiptsDelivered: this.#receipts.delivered,
		};
	}

	/** Cuts every connection. */
	dropConnections(): void {
		for (const session of this.#sessions) session.drop();
	}

	/** Goes on taking submits, but sends nothing at all: what would have left is lost, receipts wait. */
	stopAnswering(): void {
		this.#silence(true);
	}

	resumeAnswering(): void {
		this.#silence(false);
		for (const session of this.#sessions) this.#receipts.pump(session.systemId);
	}

	/** Answers every bind with this status; 0 decides by password again. */
	refuseBinds(status: number): void {
		this.#accounts.refuseAll(status);
	}

	/** Answers the next submits with these statuses, in order; 0 lets one pass. */
	scriptStatuses(...statuses: number[]): void {
		this.#desk.scripted.push(...statuses);
	}

	/** Sends any request to every bound session: deliver_sm, enquire_link, unbind, ... */
	broadcast(command: string, fields: PduFields = {}): void {
		for (const session of this.#sessions)
			if (session.role !== undefined) session.request(command, fields);
	}

	/** Cuts every connection and stops listening. Receipts still pending are forgotten, unless they are on file. */
	async close(): Promise<void> {
		this.#receipts.stop();
		this.#desk.stop();
		const closed = new Promise((resolve) => this.#server.close(resolve));
		this.dropConnections();
		await closed;
		this.log.close();
		this.#journal.close();
	}

	#silence(silent: boolean): void {
		this.#silent = silent;
		for (const session of this.#sessions) session.silent = silent;
	}

	#connected(socket: Socket): void {
		const session = new SmscSession(socket, this.#silent, {
			onPdu: (pdu) => this.#take(pdu, session),
			onFlush: () => {
				this.log.flush();
				this.#journal.flush();
			},
			onClose: () => this.#left(session),
		});
		this.#sessions.add(session);
	}

	#left(session: SmscSession): void {
		this.#sessions.delete(session);
		this.#peakUnanswered = Math.max(
			this.#peakUnanswered,
			session.peakUnanswered,
		);
		this.#receipts.leave(session);
	}

	#take(pdu: Pdu, session: SmscSession): void {
		if (pdu.command === "submit_sm") this.#submit(pdu, session);
		else if (pdu.command === "deliver_sm_resp")
			this.#receipts.answered(session, pdu.sequence, pdu.status);
		else if (pdu.command === "enquire_link") this.#enquire(pdu, session);
		else if (pdu.command === "enquire_link_resp") this.#counts.enquired++;
		else if (pdu.command.startsWith("bind_")) this.#bind(pdu, session);
		else if (pdu.command === "unbind") this.#unbind(pdu, session);
		else if (!pdu.isResponse) session.refuse(pdu, UNKNOWN_COMMAND);
	}

	#submit(pdu: Pdu, session: SmscSession): void {
		const mayNot = session.role === undefined || session.role === "receiver";
		if (mayNot) session.respond(pdu, {}, WRONG_BIND_STATE);
		else this.#desk.take(pdu, session);
	}

	#enquire(pdu: Pdu, session: SmscSession): void {
		this.#counts.enquiries++;
		session.respond(pdu);
	}

	#bind(pdu: Pdu, session: SmscSession): void {
		this.#counts.binds++;
		if (session.role !== undefined) {
			session.respond(pdu, {}, ALREADY_BOUND);
			return;
		}
		const systemId = textField(pdu, "system_id") ?? "";
		const password = textField(pdu, "password") ?? "";
		const status = this.#accounts.check(systemId, password);
		session.respond(pdu, { system_id: SYSTEM_ID }, status);
		if (status !== 0) {
			session.end();
			return;
		}
		session.systemId = systemId;
		session.role = pdu.command.slice("bind_".length) as SessionRole;
		if (session.role !== "transmitter") this.#receipts.join(session);
	}

	#unbind(pdu: Pdu, session: SmscSession): void {
		this.#counts.unbinds++;
		session.respond(pdu);
		session.end();
	}
}

/** Starts a simulator. Rejects when the port is taken. */
export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
	const smsc = new Smsc(options);
	await smsc.listen();
	return smsc;
}
