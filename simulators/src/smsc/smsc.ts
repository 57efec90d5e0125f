import type { AddressInfo, Server } from "node:net";
import definitions, {
	type Command,
	createServer,
	type Fields,
	type ReceivedPdu,
	type Session,
} from "smpp";
import { createAccounts } from "./accounts.ts";
import { createCommands } from "./commands.ts";
import { MessageQueue } from "./originated/message-queue.ts";
import {
	type OriginatedText,
	toDeliveries,
} from "./originated/originated-text.ts";
import { ReceiptJournal } from "./receipts/receipt-journal.ts";
import { ReceiptQueue } from "./receipts/receipt-queue.ts";
import { defaultSettings, type SmscSettings } from "./settings.ts";
import type { SmscOptions, SmscTls } from "./smsc-options.ts";
import { SmscSession } from "./smsc-session.ts";
import { SubmitHandler } from "./submit-handler.ts";
import { SubmitLog } from "./submit-log.ts";

const LOG_KEEP = 500_000;

/** A simulated operator: an SMPP 3.4 server on a real socket. */
export class Smsc {
	readonly settings: SmscSettings;
	readonly log: SubmitLog;
	readonly #server;
	readonly #accounts;
	readonly #journal: ReceiptJournal;
	readonly #receipts: ReceiptQueue;
	readonly #messages: MessageQueue;
	readonly #submits: SubmitHandler;
	readonly #commands;
	readonly #sessions = new Set<SmscSession>();
	#peakUnanswered = 0;
	#isSilent = false;

	constructor(options: SmscOptions) {
		this.#server = createSmppServer(options.tls, (session) =>
			this.#onSession(session),
		);
		this.settings = { ...defaultSettings, ...options.settings };
		this.log = new SubmitLog(options.logKeep ?? LOG_KEEP, options.logFile);
		this.#accounts = createAccounts(
			options.accounts ?? { airtower: "airtower" },
		);
		this.#journal = new ReceiptJournal(options.receiptsFile);
		this.#receipts = new ReceiptQueue(this.settings, this.#journal);
		this.#messages = new MessageQueue(this.settings);
		this.#submits = new SubmitHandler(this.settings, this.log, this.#receipts);
		this.#commands = createCommands(
			this.settings,
			this.#accounts,
			this.#submits,
			[this.#receipts, this.#messages],
		);
	}

	listen({ host = "127.0.0.1", port = 0 }: SmscOptions): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(port, host, resolve);
		});
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get stats() {
		const sessions = [...this.#sessions];
		const peaks = sessions.map((session) => session.peakUnanswered);
		return {
			...this.#commands.counts,
			...this.#submits.counts,
			sessions: sessions.filter((session) => session.role !== undefined).length,
			/** Most submits without a response that one session ever had. */
			peakUnanswered: Math.max(this.#peakUnanswered, ...peaks),
			receiptsPending: this.#receipts.pending,
			receiptsDelivered: this.#receipts.delivered,
			/** Of texts from phones. */
			messagesPending: this.#messages.pending,
			messagesTaken: this.#messages.taken,
			messagesAgain: this.#messages.again,
		};
	}

	dropConnections(): void {
		for (const session of this.#sessions) session.drop();
	}

	/** Goes on taking submits, but sends nothing at all: what would have left is lost, receipts wait. */
	silence(): void {
		this.#setSilent(true);
	}

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

	/** From now on ids count from 1, each time again, as of an operator that restarted and keeps no count. */
	countAnew(): void {
		this.#submits.countAnew();
	}

	/** Phones send these texts; each part goes over the next connection that receives. */
	originate(...texts: OriginatedText[]): void {
		this.#messages.add(texts.flatMap(toDeliveries));
	}

	/** The same of deliver_sm as they are given. */
	deliver(deliveries: readonly Fields[]): void {
		this.#messages.add(deliveries);
	}

	broadcast(command: Command, fields: Fields = {}): void {
		for (const session of this.#sessions)
			if (session.role !== undefined) session.request(command, fields);
	}

	/** Receipts still pending are forgotten, unless they are on file. */
	async close(): Promise<void> {
		this.#receipts.stop();
		this.#messages.stop();
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
		connection.on("close", () => {
			this.#sessions.delete(session);
			const peak = Math.max(this.#peakUnanswered, session.peakUnanswered);
			this.#peakUnanswered = peak;
			this.#commands.leave(session);
		});
	}
}

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
	const smsc = new Smsc(options);
	await smsc.listen(options);
	return smsc;
}

/** An SMPP server that hands over texts and times as the octets that came. */
function createSmppServer(
	tls: SmscTls | undefined,
	onSession: (session: Session) => void,
): Server {
	const { commands, tlvs } = definitions;
	const { validity_period, short_message } = commands.submit_sm.params;
	for (const one of [validity_period, short_message, tlvs.message_payload])
		delete one?.filter;
	if (tls?.clientAuthority === undefined)
		return createServer({ ...tls }, onSession);
	const { clientAuthority: ca, ...own } = tls;
	return createServer({ ...own, ca, requestCert: true }, onSession);
}
