import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { testKeyRing } from "@airtower/platform/testing/keys";
import {
	type TroubledSql,
	troubledSql,
} from "@airtower/platform/testing/troubled-sql";
import type { MessageOutcome } from "@airtower/proto/common/v1/message_outcome";
import type { Context } from "../../../src/context.ts";
import type { SubmitResult } from "../../../src/domain/attempt-outcome.ts";
import type { OutgoingMessage } from "../../../src/provider/provider.ts";
import { bareContext, createHeldProvider } from "../bare-context.ts";

/** A phone number at the provider, whoever of ours has it. */
export interface Line {
	readonly phone: string;
	readonly providerId: string;
	token: string;
	/** Undefined once it is removed. */
	owner: { readonly organizationId: string; readonly id: string } | undefined;
}

/** What a client asks for. */
export interface Order {
	readonly line: Line;
	readonly organizationId: string;
	readonly numberId: string;
	readonly user: string;
	readonly isText: boolean;
}

/** A message that we accepted. */
export interface Sent extends Order {
	readonly id: string;
}

/** A submit, as the provider's own log has it. */
export interface Submit {
	readonly sent: Sent;
	readonly wamid: string;
	/** Whether the provider took it; one that it did not take and never answered is lost. */
	fate: "taken" | "lost" | "refused" | "unsent";
	/** Whether its response says that the message was not taken, which may be wrong. */
	isRefused: boolean;
	end: "delivered" | "read" | "failed" | undefined;
}

/** A text that a user wrote. */
export interface Heard {
	readonly wamid: string;
	readonly user: string;
	readonly line: Line;
	readonly owner: Line["owner"];
	readonly at: number;
}

export interface Process {
	readonly ctx: Context;
	readonly fates: TroubledSql["fates"];
	/** Responses that are still to come. */
	readonly pending: Set<() => void>;
	state: "runs" | "frozen" | "gone";
}

function refused(code: number, httpStatus = 400): SubmitResult {
	const text = `error ${code}`;
	return { kind: "refused", code, httpStatus, isTransient: false, text };
}

const LOST: SubmitResult = { kind: "unknown", text: "timeout" };

/** How likely the provider responds so, up to 1; beyond it takes the message. */
const TROUBLES: readonly (readonly [number, SubmitResult])[] = [
	[0.12, LOST],
	[0.16, refused(131_026)],
	[0.19, refused(132_001)],
	[0.23, refused(130_429)],
	[0.26, refused(131_056)],
	[0.29, refused(190, 401)],
	[0.36, refused(131_000, 500)],
	[0.41, { kind: "unsent", text: "no connection" }],
];
/** Of those that are lost, up to here the provider has taken them. */
const TAKEN_AND_LOST = 0.08;
/** From the one to the other it has taken what it refuses for now. */
const TAKEN_AND_REFUSED = [0.31, 0.36] as const;

/** Users of the organizations, and those who write to a number that is nobody's. */
const USERS_EACH = 2;

/** The provider with its numbers and their users, two organizations, and the processes that send for them. */
export class World {
	readonly database: TestDatabase;
	readonly organizations: readonly string[] = [randomUUID(), randomUUID()];
	readonly ring = testKeyRing;
	readonly lines: Line[] = [];
	readonly processes: Process[] = [];
	readonly sent = new Map<string, Sent>();
	readonly submits: Submit[] = [];
	readonly heard: Heard[] = [];
	readonly held = new Set<string>();
	/** Numbers and users with an open window, for all that we were told. */
	readonly windows = new Set<string>();
	/** Messages that failed before anything was told of them, because their time was over. */
	readonly overdue = new Set<string>();
	/** Users whose data are gone, unless they write or are written to again. */
	readonly erased = new Set<string>();
	/** Messages by their idempotency keys. */
	readonly orders = new Map<string, Sent>();
	readonly events: MessageOutcome[] = [];
	/** Whether an erasure ran while texts came, one of which may then be stored once more, for the next erasure. */
	hasErasedBeside = false as boolean;
	/** What no sequence of steps may bring about. */
	readonly violations: string[] = [];
	random: () => number = Math.random;
	/** While true, the provider takes everything at once. */
	isCalm = false as boolean;
	/** The provider's clock, s: each step takes some seconds of it. */
	now = Math.floor(Date.now() / 1_000) - 3_600;

	constructor(database: TestDatabase) {
		this.database = database;
	}

	pick<T>(all: readonly T[]): T | undefined {
		return all[Math.floor(this.random() * all.length)];
	}

	running(): Process[] {
		return this.processes.filter(({ state }) => state === "runs");
	}

	/** One who writes to the numbers of an organization, or is written to by it, and nobody's of the others. */
	userOf(organizationId: string | undefined): string {
		const pool = this.organizations.indexOf(organizationId ?? "");
		const nth = Math.floor(this.random() * USERS_EACH);
		return `3361240${pool + 2}00${nth}`;
	}

	async startProcess(): Promise<Process> {
		const { sql, fates } = troubledSql(this.database.sql);
		const provider = createHeldProvider();
		const ctx = await bareContext(
			{ ...this.database, connect: () => sql },
			{
				...provider,
				submit: (message) => this.#submit(process, message),
			},
		);
		const process: Process = { ctx, fates, pending: new Set(), state: "runs" };
		this.processes.push(process);
		return process;
	}

	async #submit(
		process: Process,
		message: OutgoingMessage,
	): Promise<SubmitResult> {
		const drawn = this.random();
		const [, trouble] = this.isCalm
			? []
			: (TROUBLES.find(([upTo]) => drawn < upTo) ?? []);
		const sent = this.sent.get(message.messageId);
		if (sent === undefined) throw new Error("A message that nobody sent.");
		await this.#judge(process, sent, message);
		const wamid = `wamid.${sent.user}.${this.submits.length}`;
		const submit: Submit = {
			...{ sent, wamid, fate: "taken", end: undefined },
			isRefused: false,
		};
		this.submits.push(submit);
		const [from, to] = TAKEN_AND_REFUSED;
		if (trouble?.kind === "refused" || trouble?.kind === "unsent") {
			submit.isRefused = true;
			if (drawn < from || drawn >= to) submit.fate = trouble.kind;
		} else if (trouble === LOST && drawn >= TAKEN_AND_LOST)
			submit.fate = "lost";
		const waId = sent.user;
		const taken = { kind: "taken", providerMessageId: wamid, waId } as const;
		return this.#later(process, trouble ?? taken);
	}

	async #judge(
		{ ctx }: Process,
		sent: Sent,
		message: OutgoingMessage,
	): Promise<void> {
		const { line, organizationId, numberId, user, isText } = sent;
		const tell = (what: string) =>
			this.violations.push(`a message was sent ${what}`);
		const before = this.submits.filter((one) => one.sent === sent);
		if (before.some(({ isRefused }) => !isRefused)) tell("twice");
		const own = await this.database.sql`
			select
			from messages
			join dispatch on dispatch.message_id = messages.id
			where messages.id = ${sent.id}
			and status = 'accepted'
			and token = ${ctx.lease.token()}
			and submitting
		`;
		if (own.count !== 1) tell("that is not its process's to send");
		if (this.held.has(organizationId)) tell("while it was held");
		if (line.owner?.id !== numberId) tell("from a removed number");
		if (message.accessToken !== line.token) tell("under an old token");
		if (message.to !== `+${user}`) tell("to somebody else");
		if (isText && !this.windows.has(`${numberId} ${user}`))
			tell("out of the window");
	}

	/** Some responses wait for a step that brings them. */
	async #later(process: Process, result: SubmitResult): Promise<SubmitResult> {
		if (this.isCalm || this.random() < 0.7) return result;
		const response = Promise.withResolvers<void>();
		process.pending.add(response.resolve);
		await response.promise;
		process.pending.delete(response.resolve);
		return result;
	}

	/** Resolves once only what waits for a pending response is under way. */
	async quiet(): Promise<void> {
		const isBusy = ({ ctx, pending, state }: Process) =>
			state !== "gone" && ctx.dispatcher.underWay() > pending.size;
		while (this.processes.some(isBusy)) await delay(1);
	}
}
