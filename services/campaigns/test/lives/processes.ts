import {
	neverRun,
	responseLost,
	type TroubledSql,
	troubledSql,
} from "@airtower/platform/testing/troubled-sql";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Context } from "../../src/context.ts";
import { runDueCampaign } from "../../src/jobs/run-campaigns.ts";
import { fakeMessaging } from "../fake-messaging.ts";
import { contextWith, neverStops } from "../test-campaigns.ts";
import type { Request, Response, World } from "./world.ts";

/** A call gives up after 15 s, and what messaging has paid for by then is stored within 20 s or never. */
const LONGEST_CALL_MS = 35_000;
const HEARTBEAT = "update campaigns set lease_until";

const CALL_FATES = [
	...["is lost", "comes late", "is answered late", "loses its response"],
	...Array.from({ length: 6 }, () => "is answered"),
];

/** Parts of statements that a process may stand still at, or lose; most often at that before a call. */
const STATEMENTS = [
	...Array.from({ length: 6 }, () => "insert into sent_batches"),
	"status = case status when 'scheduled'",
	"insert into recipients",
	"with changed as ( update recipients",
	"staged_at = coalesce",
	"delete from quota_shares",
	"completed_at = now(), starved",
	"lease_until = null, due_at",
	"status_reason = ?, paused_since",
];

interface Process {
	readonly ctx: Context;
	readonly fates: TroubledSql["fates"];
	/** Its call that is on its way to messaging. */
	call:
		| { readonly sentAt: number; readonly arrive: () => Promise<unknown> }
		| undefined;
	/** Lets it go on; undefined unless it stands still. */
	goOn: (() => void) | undefined;
	/** Whether it stood still in this round. */
	hasStood: boolean;
	stands: PromiseWithResolvers<void>;
	round: Promise<number>;
}

/** Processes of the service, each of which may stand still within a round for as long as it likes, or for ever. */
export class Processes {
	/** While true, every call is answered at once. */
	isCalm = false as boolean;
	readonly #world: World;
	readonly #all: Process[] = [];

	constructor(world: World) {
		this.#world = world;
	}

	/** One that does not stand still runs a round; true when there was something to do. */
	async run(): Promise<boolean> {
		return this.#run(this.#free());
	}

	/** One runs up to three rounds, and may meet trouble at a statement. */
	async runTroubled(): Promise<void> {
		const process = this.#free();
		const words = this.#world.pick(STATEMENTS);
		const fate = this.#world.random();
		if (words !== undefined && this.#world.random() < 0.5)
			process.fates.set(words, (run) => {
				process.fates.delete(words);
				return this.#trouble(process, fate, run);
			});
		for (let round = 0; round < 3 && process.goOn === undefined; round++)
			if (!(await this.#run(process))) break;
		if (process.goOn === undefined) process.fates.clear();
	}

	async wake(): Promise<void> {
		const process = this.#world.pick(this.#standing());
		if (process !== undefined) await this.#wake(process);
	}

	async wakeAll(): Promise<void> {
		for (const process of this.#standing()) await this.#wake(process);
	}

	/** Clocks go on, of the database and of all processes. */
	async pass(ms: number): Promise<void> {
		const lastSentAt = this.#world.now() + ms - LONGEST_CALL_MS;
		for (const process of this.#all) {
			const { call } = process;
			if (call === undefined || call.sentAt > lastSentAt) continue;
			if (this.#world.random() < 0.5) await call.arrive();
			process.call = undefined;
		}
		await this.#world.setClock(this.#world.aheadMs + ms);
	}

	#standing(): Process[] {
		return this.#all.filter(({ goOn }) => goOn !== undefined);
	}

	#free(): Process {
		const free = this.#all.find(({ goOn }) => goOn === undefined);
		return free ?? this.#start();
	}

	#start(): Process {
		const { sql, fates } = troubledSql(this.#world.database.sql);
		const messaging = fakeMessaging();
		messaging.client.sendMessages = (request) => this.#send(process, request);
		const process: Process = {
			...{ ctx: contextWith(sql, messaging), fates },
			...{ call: undefined, goOn: undefined, hasStood: false },
			...{ stands: Promise.withResolvers(), round: Promise.resolve(0) },
		};
		this.#all.push(process);
		return process;
	}

	/** Resolves when the round is over, or the process stands still in it. */
	async #run(process: Process): Promise<boolean> {
		process.stands = Promise.withResolvers();
		process.hasStood = false;
		process.round = runDueCampaign(process.ctx, neverStops).catch(() => 1);
		const ended = await Promise.race([process.round, process.stands.promise]);
		return ended === 1;
	}

	async #stand(process: Process): Promise<void> {
		const still = Promise.withResolvers<void>();
		process.fates.clear();
		process.fates.set(HEARTBEAT, async (run) => {
			await still.promise;
			return run();
		});
		process.goOn = still.resolve;
		process.hasStood = true;
		process.stands.resolve();
		await still.promise;
	}

	async #wake(process: Process): Promise<void> {
		const { goOn } = process;
		process.fates.clear();
		process.stands = Promise.withResolvers();
		process.goOn = undefined;
		goOn?.();
		await Promise.race([process.round, process.stands.promise]);
	}

	async #trouble(
		process: Process,
		fate: number,
		run: () => Promise<unknown>,
	): Promise<unknown> {
		if (fate < 0.15) return neverRun(run);
		if (fate < 0.3) return responseLost(run);
		if (fate < 0.65) await this.#stand(process);
		const result = await run();
		if (fate >= 0.65) await this.#stand(process);
		if (fate >= 0.8) throw new Error("The connection was lost.");
		return result;
	}

	async #send(process: Process, request: Request): Promise<Awaited<Response>> {
		const world = this.#world;
		const fate = this.isCalm ? "is answered" : world.pick(CALL_FATES);
		if (fate === "is lost")
			throw new ConnectError("messaging is away", Code.Unavailable);
		let response: Response | undefined;
		const arrive = () => {
			response = world.accept(request, process.hasStood);
			return response.catch(() => {});
		};
		if (fate === "comes late") {
			process.call = { sentAt: world.now(), arrive };
			await this.#stand(process);
			await process.call?.arrive();
			process.call = undefined;
		} else await arrive();
		if (fate === "is answered late") await this.#stand(process);
		const isHeard = fate === "is answered" || world.random() < 0.6;
		if (response !== undefined && isHeard && fate !== "loses its response")
			return response;
		throw new ConnectError("The time is up.", Code.DeadlineExceeded);
	}
}
