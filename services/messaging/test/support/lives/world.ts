import { setTimeout as delay } from "node:timers/promises";
import {
	type TroubledSql,
	troubledSql,
} from "@airtower/platform/testing/troubled-sql";
import type { UnknownPolicy } from "../../../src/domain/attempt-outcome.ts";
import type { PartOutcome } from "../../../src/domain/submit-result.ts";
import { createWaitingMover } from "../../../src/jobs/routes/move-waiting.ts";
import type { OutgoingMessage } from "../../../src/operators/outgoing-message.ts";
import type { TestReplica } from "../messaging.ts";
import {
	acceptedAs,
	createScriptedOperator,
	noResponse,
	refusedForGood,
	refusedForNow,
	type ScriptedOperator,
	throttled,
	unclear,
	unsent,
} from "../scripted-operator.ts";
import { addOperator, type TwoRoutes } from "../two-routes.ts";

/** A part that an operator took, as its own log has it. */
export interface Take {
	readonly id: string;
	readonly messageId: string;
	readonly part: number;
	readonly to: string;
	readonly operator: ScriptedOperator;
	readonly process: Process;
	/** Whether a process that runs has the response. */
	isHeard: boolean;
	/** How it ended, and whether its receipt was looked at. */
	end: "delivered" | "failed" | undefined;
	isReported: boolean;
}

export interface Process {
	readonly replica: TestReplica;
	readonly operators: readonly ScriptedOperator[];
	readonly rounds: readonly TestReplica["dispatcher"][];
	readonly moveWaiting: ReturnType<typeof createWaitingMover>;
	readonly fates: TroubledSql["fates"];
	/** Responses that are still to come. */
	readonly pending: Set<Pending>;
	state: "runs" | "frozen" | "gone";
}

interface Pending {
	/** Another one for each attempt, though of one message: a process that stood still may have two. */
	readonly message: OutgoingMessage;
	readonly respond: () => void;
}

/** How likely an operator responds so, up to 1; beyond it takes the part. */
const TROUBLES: readonly (readonly [number, PartOutcome])[] = [
	[0.12, noResponse],
	[0.2, refusedForNow],
	[0.22, refusedForGood],
	[0.28, throttled],
	[0.31, unclear],
	[0.38, unsent],
];

/** Two operators, and the processes that send to them, each of which may stand still, die or go on late. */
export class World {
	readonly two: TwoRoutes;
	readonly takes: Take[] = [];
	readonly processes: Process[] = [];
	readonly ids: string[] = [];
	readonly canceled = new Set<string>();
	readonly resolved = new Set<string>();
	/** What no sequence of steps may bring about. */
	readonly violations: string[] = [];
	random: () => number = Math.random;
	/** While true, operators take everything at once. */
	isCalm = false as boolean;

	readonly #parts: number;
	readonly #policy: UnknownPolicy;

	constructor(two: TwoRoutes, parts: number, policy: UnknownPolicy) {
		this.two = two;
		this.#parts = parts;
		this.#policy = policy;
	}

	get parts(): number {
		return this.#parts;
	}

	pick<T>(all: readonly T[]): T | undefined {
		return all[Math.floor(this.random() * all.length)];
	}

	running(): Process[] {
		return this.processes.filter(({ state }) => state === "runs");
	}

	async startProcess(): Promise<Process> {
		const { messaging } = this.two;
		const { sql, fates } = troubledSql(messaging.sql);
		const first = createScriptedOperator("first", "account-1");
		const second = createScriptedOperator("second", "account-2");
		const { routes } = messaging.ctx;
		const replica = await messaging.replica({ sql, routes, operator: first });
		const other = addOperator(replica, second);
		const process: Process = {
			replica,
			fates,
			operators: [first, second],
			rounds: [replica.dispatcher, other.dispatcher],
			moveWaiting: createWaitingMover(),
			pending: new Set(),
			state: "runs",
		};
		first.unknownPolicy = this.#policy;
		for (const operator of process.operators) {
			operator.parts = this.#parts;
			operator.script = (...part) => this.#respond(process, operator, ...part);
		}
		this.processes.push(process);
		return process;
	}

	async #respond(
		process: Process,
		operator: ScriptedOperator,
		message: OutgoingMessage,
		part: number,
	): Promise<PartOutcome> {
		const drawn = this.random();
		const [, trouble] = this.isCalm
			? []
			: (TROUBLES.find(([upTo]) => drawn < upTo) ?? []);
		const isTaken =
			trouble === undefined || (trouble === noResponse && drawn < 0.08);
		const take = isTaken
			? this.#take(process, operator, message, part)
			: undefined;
		if (take === undefined || trouble !== undefined)
			return this.#later(process, message, trouble ?? noResponse);
		take.isHeard = true;
		return this.#later(process, message, acceptedAs(take.id));
	}

	#take(
		process: Process,
		operator: ScriptedOperator,
		{ messageId, to }: OutgoingMessage,
		part: number,
	): Take {
		const before = this.takes.filter(
			(one) => one.messageId === messageId && one.part === part,
		);
		const where = `part ${part} of message ${this.ids.indexOf(messageId) + 1}`;
		if (this.canceled.has(messageId))
			this.violations.push(`${where} was sent though it was canceled`);
		if (before.some(({ isHeard }) => isHeard))
			this.violations.push(`${where} went again though its response had come`);
		if (this.#parts === 1 && before.some(({ isReported }) => isReported))
			this.violations.push(`${where} went again though its receipt had come`);
		const id = `${messageId}-${part}-${this.takes.length}`;
		const take: Take = {
			...{ id, messageId, part, to, operator, process },
			...{ isHeard: false, end: undefined, isReported: false },
		};
		this.takes.push(take);
		return take;
	}

	/** Some responses wait for a step that brings them. */
	async #later(
		process: Process,
		message: OutgoingMessage,
		outcome: PartOutcome,
	): Promise<PartOutcome> {
		if (this.isCalm || this.random() < 0.7) return outcome;
		const response = Promise.withResolvers<void>();
		const pending = { message, respond: response.resolve };
		process.pending.add(pending);
		await response.promise;
		process.pending.delete(pending);
		return outcome;
	}

	/** Nobody has, or will believe, the responses that a process waits for. */
	lose(process: Process): void {
		const ids = new Set(
			[...process.pending].map(({ message }) => message.messageId),
		);
		for (const take of this.takes)
			if (take.process === process && ids.has(take.messageId))
				take.isHeard = false;
	}

	/** Resolves once only what waits for a pending response is under way. */
	async quiet(): Promise<void> {
		const isBusy = ({ rounds, pending, state }: Process) => {
			const open = new Set([...pending].map(({ message }) => message));
			const underWay = rounds.reduce((sum, one) => sum + one.underWay(), 0);
			return state !== "gone" && underWay > open.size;
		};
		while (this.processes.some(isBusy)) await delay(1);
	}
}
