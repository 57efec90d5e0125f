import type { Logger } from "@airtower/platform/runtime/log";
import { currentSpan, type Span } from "@airtower/platform/tracing/spans";
import { rateShare } from "../../domain/bind-share.ts";
import type {
	PartOutcome,
	PartUnsent,
	SubmitResult,
} from "../../domain/submit-result.ts";
import type { OutgoingMessage } from "../outgoing-message.ts";
import {
	NO_SLOT,
	NOT_OURS,
	type Queued,
	SubmitQueue,
} from "../submit-queue.ts";
import type { Availability, HttpLimits } from "./availability.ts";
import type { Egress } from "./egress.ts";
import {
	type Batch,
	type BatchedJob,
	FillingBatches,
} from "./filling-batches.ts";
import {
	createHttpClient,
	type Exchange,
	type HttpClient,
} from "./http-client.ts";
import { sendRequest } from "./http-request.ts";
import { readResponse } from "./http-response.ts";
import type { HttpRoute } from "./http-route.ts";
import { endPostSpan, startPostSpan } from "./post-span.ts";
import { toResults, whole } from "./submit-results.ts";

interface SubmitterSetup {
	readonly route: HttpRoute;
	readonly log: Logger;
	readonly egress: Egress;
	readonly limits: HttpLimits;
	readonly availability: Availability;
	readonly onChange: () => void;
	/** Told of each response to a message, with the time since its first byte was written, ms. */
	readonly onResponse: (ms: number) => void;
}

interface Job extends Queued, BatchedJob {
	readonly mayWrite: () => boolean;
	readonly settle: (result: SubmitResult) => void;
	readonly span: Span | undefined;
}

/**
 * Sends messages over the connections that are held, while the route is up. Where the operator takes several in a
 * request, those that may be written at the same moment go together.
 */
export class HttpSubmitter {
	readonly #setup: SubmitterSetup;
	readonly #availability: Availability;
	readonly queue: SubmitQueue<Job, Batch<Job>>;
	#route: HttpRoute;
	#client: HttpClient;
	#held: readonly number[] = [];
	#mayOpen: () => boolean = () => false;
	/** Requests; those that are being filled too. */
	#inFlight = 0;
	/** Those of them that began before the connections were made anew. */
	#earlier = 0;
	readonly #filling = new FillingBatches<Job>();

	constructor(setup: SubmitterSetup) {
		this.#setup = setup;
		this.#availability = setup.availability;
		this.#route = setup.route;
		this.#client = createHttpClient(setup.route, setup.egress);
		this.queue = new SubmitQueue({
			limits: setup.limits,
			window: () => this.window,
			places: () => (job) => this.#placeFor(job),
			freePlaces: (waiting) =>
				this.#free() * this.#size() +
				this.#filling.room(this.#size()) -
				waiting.length,
			obstacle: () => (this.#mayOpen() ? undefined : NO_SLOT),
			write: (job, batch, now) => this.#join(job, batch, now),
			downMs: (now) => this.#availability.waitMs(now),
			onChange: setup.onChange,
		});
		this.#shareRates();
	}

	get outstanding(): number {
		return this.#inFlight;
	}

	/** Most messages that may wait for the operator's response. */
	get window(): number {
		return this.#held.length * this.#route.batch;
	}

	async add(
		message: OutgoingMessage,
		mayWrite: () => boolean,
	): Promise<SubmitResult> {
		const { lane, sender, attempt } = message;
		const away = this.queue.postponed(sender, 1, attempt > 1);
		if (away !== undefined) return whole(away);
		const deadline = performance.now() + this.#setup.limits.queueTimeoutMs;
		const span = currentSpan();
		return new Promise((settle) => {
			const giveBack = (unsent: PartUnsent) => settle(whole(unsent));
			const job = { lane, sender, deadline, message, mayWrite, span };
			this.queue.add({ ...job, settle, giveBack });
			this.queue.pump();
		});
	}

	hold(slots: readonly number[], mayOpen: () => boolean): void {
		this.#held = [...slots];
		this.#mayOpen = mayOpen;
		this.#shareRates();
		if (slots.length === 0) this.queue.giveBackAll("not held");
		this.queue.pump();
	}

	change(route: HttpRoute): void {
		this.#route = route;
		this.#shareRates();
	}

	/** The next requests go over new connections: those that are open may be stuck. */
	reconnect(): void {
		this.#earlier = this.#inFlight;
		void this.#client.finish();
		this.#client = createHttpClient(this.#route, this.#setup.egress);
	}

	/** What is under way is lost. */
	stop(): Promise<void> {
		this.queue.stop();
		return this.#client.close();
	}

	/** One at a time while it is not known whether the operator is there again. */
	#free(): number {
		const free = this.#held.length - this.#inFlight;
		if (!this.#availability.isProbing) return free;
		return Math.min(free, 1 - this.#inFlight + this.#earlier);
	}

	/** Most messages of one request, or of that of a message. */
	#size({ isAlone = false }: Partial<Job> = {}): number {
		return isAlone || this.#availability.isProbing ? 1 : this.#route.batch;
	}

	#placeFor(job: Job): Batch<Job> | undefined {
		const [size, mayOpen] = [this.#size(job), this.#free() > 0];
		return this.#filling.placeFor(job, this.#route, { size, mayOpen });
	}

	#join(job: Job, batch: Batch<Job>, now: number): void {
		batch.jobs.push(job);
		if (batch.jobs.length > 1) return;
		this.#inFlight++;
		const send = () => void this.#send(batch, now);
		if (this.#size(job) === 1) send();
		else this.#filling.fill(batch, send);
	}

	#shareRates(): void {
		this.queue.limitTo(rateShare(this.#route, this.#held));
	}

	async #send({ route, jobs }: Batch<Job>, now: number): Promise<void> {
		const isLate = !this.#availability.tells(now);
		const mine = jobs.filter((job) => !isLate && job.mayWrite());
		for (const job of jobs)
			if (!mine.includes(job)) job.giveBack({ kind: "unsent", why: NOT_OURS });
		if (mine.length > 0) await this.#exchange(mine, route, now);
		this.#inFlight--;
		if (!this.#availability.tells(now)) this.#earlier--;
		this.queue.pump();
		this.#setup.onChange();
	}

	async #exchange(
		jobs: readonly Job[],
		route: HttpRoute,
		now: number,
	): Promise<void> {
		const span = startPostSpan(jobs, route.code);
		const messages = jobs.map(({ message }) => message);
		const exchange = await this.#client.request(
			sendRequest(messages, route),
			() => jobs.every(({ mayWrite }) => mayWrite()),
		);
		endPostSpan(span, exchange);
		if (exchange.kind === "responded") this.#setup.onResponse(exchange.ms);
		const results = this.#read(exchange, messages, route, now);
		for (const [index, job] of jobs.entries())
			if (results[index]) job.settle(results[index]);
			else this.queue.add({ ...job, isAlone: true });
	}

	/** What became of each message, and what that says of the route; nothing where each is to go alone. */
	#read(
		exchange: Exchange,
		messages: readonly OutgoingMessage[],
		route: HttpRoute,
		since: number,
	): SubmitResult[] {
		const now = performance.now();
		const forAll = (one: PartOutcome) => messages.map(() => whole(one));
		if (exchange.kind === "lost")
			return forAll({ kind: "unknown", why: exchange.why });
		if (exchange.kind === "unsent") {
			if (!exchange.isRefused) this.#goDown("unreachable", exchange.why, since);
			return forAll({ kind: "unsent", why: exchange.why });
		}
		const { response } = exchange;
		const recipients = messages.map(({ to }) => to);
		const byMessage = readResponse(route.description, response, recipients);
		const readings = byMessage.flat();
		const refusal = readings.find((one) => one.kind === "account");
		if (refusal) this.#goDown("refused", refusal.operatorError, since);
		else if (this.#availability.tells(since)) this.#availability.up();
		if (readings.some(({ kind }) => kind === "together")) return [];
		const { pace } = this.queue;
		if (readings.some(({ kind }) => kind === "throttled")) {
			const { retryAfterMs = 0 } = response;
			const mostMs = Math.min(retryAfterMs, this.#setup.limits.retryAfterMaxMs);
			this.queue.throttled(since, now, mostMs);
		} else if (readings.some(({ kind }) => kind === "accepted"))
			pace.took(since, now);
		return toResults(byMessage, Math.ceil(pace.pauseMs(now)));
	}

	/** What waits here goes back: another route may take it. */
	#goDown(why: "unreachable" | "refused", error: string, since: number): void {
		if (!this.#availability.tells(since)) return;
		const now = performance.now();
		if (this.#availability.down(why, error, now))
			this.#setup.log.warn(
				{ route: this.#route.code, error },
				why === "refused"
					? "the HTTP operator refuses the account"
					: "the HTTP operator cannot be reached",
			);
		this.queue.giveBackAll(error);
		this.queue.wakeIn(this.#availability.waitMs(now));
	}
}
