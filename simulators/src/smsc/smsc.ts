import type { AddressInfo } from "node:net";
import type { Command, Fields, ReceivedPdu, Session } from "smpp";
import { Accounts } from "./accounts.ts";
import { ReceiptJournal } from "./receipts/receipt-journal.ts";
import { ReceiptQueue } from "./receipts/receipt-queue.ts";
import { defaultSettings, type SmscSettings } from "./settings.ts";
import { createSmppServer } from "./smpp-server.ts";
import { SmscCommands } from "./smsc-commands.ts";
import type { SmscOptions, SmscStats } from "./smsc-options.ts";
import { SmscSession } from "./smsc-session.ts";
import { SubmitHandler } from "./submit-handler.ts";
import { SubmitLog } from "./submit-log.ts";

const DEFAULT_LOG_KEEP = 500_000;

/** A simulated operator: an SMPP 3.4 server on a real socket. */
export class Smsc {
	/** Changes take effect at once. */
	readonly settings: SmscSettings;
	/** Everything that was submitted. */
	readonly log: SubmitLog;
	readonly #options: SmscOptions;
	readonly #server = createSmppServer((session) => this.#onSession(session));
	readonly #accounts: Accounts;
	readonly #journal: ReceiptJournal;
	readonly #receipts: ReceiptQueue;
	readonly #submits: SubmitHandler;
	readonly #commands: SmscCommands;
	readonly #sessions = new Set<SmscSession>();
	#peakUnanswered = 0;
	#isSilent = false;

	constructor(options: SmscOptions = {}) {
		this.#options = options;
		this.settings = { ...defaultSettings, ...options.settings };
		const keep = options.logKeep ?? DEFAULT_LOG_KEEP;
		this.log = new SubmitLog(keep, options.logFile);
		this.#accounts = new Accounts(options.accounts ?? { airtower: "airtower" });
		this.#journal = new ReceiptJournal(options.receiptsFile);
		this.#receipts = new ReceiptQueue(this.settings, this.#journal);
		this.#submits = new SubmitHandler(this.settings, this.log, this.#receipts);
		this.#commands = new SmscCommands(
			this.#accounts,
			this.#submits,
			this.#receipts,
		);
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
		const sessions = [...this.#sessions];
		const peaks = sessions.map((session) => session.peakUnanswered);
		return {
			...this.#commands.counts,
			...this.#submits.counts,
			sessions: sessions.filter((session) => session.role !== undefined).length,
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
	silence(): void {
		this.#setSilent(true);
	}

	/** Ends a silence. */
	resume(): void {
		this.#setSilent(false);
		for (const session of this.#sessions) this.#receipts.pump(session.systemId);
	}

	/** Responds to every bind with this status; 0 decides by password again. */
	refuseBinds(status: number): void {
		this.#accounts.refuseAll(status);
	}

	/** Responds to the next submits with these statuses, in order; 0 lets one pass. */
	scriptStatuses(...statuses: number[]): void {
		this.#submits.scriptStatuses(statuses);
	}

	/** Sends any request to every bound session: deliver_sm, enquire_link, unbind, ... */
	broadcast(command: Command, fields: Fields = {}): void {
		for (const session of this.#sessions)
			if (session.role !== undefined) session.request(command, fields);
	}

	/** Cuts every connection and stops listening. Receipts still pending are forgotten, unless they are on file. */
	async close(): Promise<void> {
		this.#receipts.stop();
		this.#submits.stop();
		const closed = new Promise((resolve) => this.#server.close(resolve));
		this.dropConnections();
		await closed;
		this.log.close();
		this.#journal.close();
	}

	#setSilent(isSilent: boolean): void {
		this.#isSilent = isSilent;
		for (const session of this.#sessions) session.isSilent = isSilent;
	}

	#onSession(connection: Session): void {
		const session = new SmscSession(connection, this.#isSilent, () => {
			this.log.flush();
			this.#journal.flush();
		});
		this.#sessions.add(session);
		connection.on("pdu", (pdu: ReceivedPdu) =>
			this.#commands.handle(pdu, session),
		);
		connection.on("close", () => this.#onClose(session));
	}

	#onClose(session: SmscSession): void {
		this.#sessions.delete(session);
		this.#peakUnanswered = Math.max(
			this.#peakUnanswered,
			session.peakUnanswered,
		);
		this.#receipts.leave(session);
	}
}

/** Starts a simulator. Rejects when the port is taken. */
export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
	const smsc = new Smsc(options);
	await smsc.listen();
	return smsc;
}
