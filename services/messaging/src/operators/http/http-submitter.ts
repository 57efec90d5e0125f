import type { Logger } from "@airtower/platform/runtime/log";
import {
	currentSpan,
	endSpan,
	type Span,
	SpanKind,
	startSpan,
} from "@airtower/platform/tracing/spans";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import type { SubmitResult } from "../../domain/submit-result.ts";
import type { OutgoingMessage } from "../outgoing-message.ts";
import { Pace } from "../pace.ts";
import { RateLimit } from "../smpp-rate.ts";
import type { Egress } from "./egress.ts";
import {
	createHttpClient,
	type Exchange,
	type HttpClient,
} from "./http-client.ts";
import { sendRequest } from "./http-request.ts";
import { readResponse } from "./http-response.ts";
import { type HttpRoute, needsClient } from "./http-route.ts";
import type { HttpLimits, RouteHealth } from "./route-health.ts";
import { toOutcome, toResult, whole } from "./submit-results.ts";

export interface SubmitterSetup {
	readonly route: HttpRoute;
	readonly log: Logger;
	readonly egress: Egress;
	readonly limits: HttpLimits;
	readonly health: RouteHealth;
	readonly onChange: () => void;
	/** Told of each response to a message, with the time since its first byte was written, ms. */
	readonly onResponse: (ms: number) => void;
}

/** So much of the agreed rate may queue here, as a share of a second's messages. */
const RATE_LOOKAHEAD = 1 / 4;
const NO_SLOT = "no free slot";

interface Job {
	readonly message: OutgoingMessage;
	readonly mayWrite: () => boolean;
	readonly settle: (result: SubmitResult) => void;
	/** A time of `performance.now()`. */
	readonly deadline: number;
	readonly span: Span | undefined;
}

/** Sends messages over the connections that are held, within their share of the rate and while the route is up. */
export class HttpSubmitter {
	readonly #setup: SubmitterSetup;
	readonly #health: RouteHealth;
	readonly pace: Pace;
	readonly #queue: Job[] = [];
	#route: HttpRoute;
	#client: HttpClient;
	#rate: RateLimit | undefined;
	#held: readonly number[] = [];
	#mayOpen: () => boolean = () => false;
	#inFlight = 0;
	#wake: NodeJS.Timeout | undefined;
	#stopped: Promise<void> | undefined;

	constructor(setup: SubmitterSetup) {
		this.#setup = setup;
		this.#health = setup.health;
		this.pace = new Pace(setup.limits);
		this.#route = setup.route;
		this.#client = this.#openClient();
		this.#rate = toRateLimit(setup.route);
	}

	get outstanding(): number {
		return this.#inFlight;
	}

	get queued(): number {
		return this.#queue.length;
	}

	capacity(): number {
		const now = performance.now();
		if (this.#health.waitMs(now) > 0) return 0;
		const perSecond = this.#rate?.perSecond ?? Number.POSITIVE_INFINITY;
		const perLookahead = Math.ceil(perSecond * RATE_LOOKAHEAD);
		const most = Math.min(this.#free(), perLookahead, this.pace.mostAhead(now));
		return Math.max(0, most - this.#queue.length);
	}

	add(
		message: OutgoingMessage,
		mayWrite: () => boolean,
	): Promise<SubmitResult> {
		const deadline = performance.now() + this.#setup.limits.queueTimeoutMs;
		return new Promise((settle) => {
			const span = currentSpan();
			this.#queue.push({ message, mayWrite, settle, deadline, span });
			this.pump();
		});
	}

	hold(slots: readonly number[], mayOpen: () => boolean): void {
		this.#held = [...slots];
		this.#mayOpen = mayOpen;
		this.#rate?.change(this.#shareOfRate(), performance.now());
		if (slots.length === 0) this.giveBackAll("not held");
		this.pump();
	}

	change(route: HttpRoute): void {
		const before = this.#route;
		this.#route = route;
		if (needsClient(before, route)) {
			void this.#client.finish();
			this.#client = this.#openClient();
		}
		if (before.rate === route.rate && before.binds === route.binds) return;
		this.#rate = toRateLimit(route);
		this.#rate?.change(this.#shareOfRate(), performance.now());
	}

	pump(): void {
		while (this.#queue.length > 0 && this.#free() > 0) {
			const now = performance.now();
			const waitMs = Math.max(
				this.#health.waitMs(now),
				this.pace.waitMs(now),
				this.#rate?.waitMs(now) ?? 0,
			);
			if (waitMs > 0) {
				if (waitMs < Number.POSITIVE_INFINITY) this.#wakeIn(waitMs);
				return;
			}
			const job = this.#queue.shift();
			if (job !== undefined) void this.#send(job, now);
		}
	}

	giveBackExpired(): void {
		const now = performance.now();
		while ((this.#queue[0]?.deadline ?? Number.POSITIVE_INFINITY) <= now)
			this.#queue.shift()?.settle(whole({ kind: "unsent", why: NO_SLOT }));
	}

	giveBackAll(why: string): void {
		for (const job of this.#queue.splice(0))
			job.settle(whole({ kind: "unsent", why }));
	}

	/** What is under way is lost. */
	stop(): Promise<void> {
		clearTimeout(this.#wake);
		this.#stopped ??= this.#client.close();
		return this.#stopped;
	}

	#openClient(): HttpClient {
		const { address, binds: connections, timeoutMs } = this.#route;
		const { origin } = address;
		const { egress } = this.#setup;
		return createHttpClient({ origin, connections, timeoutMs, egress });
	}

	/** One at a time while it is not known whether the operator is there again. */
	#free(): number {
		const most = this.#health.isProbing ? 1 : Number.POSITIVE_INFINITY;
		return Math.min(this.#held.length, most) - this.#inFlight;
	}

	/** Those of all connections add up to the whole rate. */
	#shareOfRate(): number {
		const { rate = 0, binds } = this.#route;
		const upTo = (slots: number) => Math.floor((rate * slots) / binds);
		return this.#held.reduce(
			(sum, slot) => sum + upTo(slot + 1) - upTo(slot),
			0,
		);
	}

	async #send(job: Job, now: number): Promise<void> {
		if (job.deadline <= now || !this.#mayOpen()) {
			job.settle(whole({ kind: "unsent", why: NO_SLOT }));
			return;
		}
		this.#rate?.take(now);
		this.pace.wrote(now);
		this.#inFlight++;
		const span =
			job.span &&
			startSpan("sms POST", traceparentOf(job.span), {
				kind: SpanKind.CLIENT,
				attributes: { route: this.#route.code },
			});
		const request = sendRequest(job.message, this.#route);
		const exchange = await this.#client.request(request, job.mayWrite);
		this.#inFlight--;
		if (exchange.kind === "responded") {
			this.#setup.onResponse(exchange.ms);
			span?.setAttribute("http.response.status_code", exchange.response.status);
		}
		endSpan(span, exchange.kind === "responded" ? undefined : exchange.kind);
		job.settle(this.#read(exchange, now));
		this.pump();
		this.#setup.onChange();
	}

	/** What became of a message, and what that says of the route. */
	#read(exchange: Exchange, writtenAt: number): SubmitResult {
		const now = performance.now();
		if (exchange.kind === "lost")
			return whole({ kind: "unknown", why: exchange.why });
		if (exchange.kind === "unsent") {
			if (!exchange.isRefused) this.#goDown("unreachable", exchange.why, now);
			return whole({ kind: "unsent", why: exchange.why });
		}
		const { response } = exchange;
		const readings = readResponse(this.#route.description, response);
		const refusal = readings.find(({ kind }) => kind === "account");
		if (refusal?.kind === "account")
			this.#goDown("refused", refusal.operatorError, now);
		else this.#health.up();
		if (readings.some(({ kind }) => kind === "throttled"))
			this.#slowDown(writtenAt, now, response.retryAfterMs);
		else if (readings.some(({ kind }) => kind === "accepted"))
			this.pace.took(writtenAt, now);
		const retryAfterMs = Math.ceil(this.pace.pauseMs(now));
		return toResult(readings.map((one) => toOutcome(one, retryAfterMs)));
	}

	#slowDown(writtenAt: number, now: number, retryAfterMs = 0): void {
		const { retryAfterMaxMs } = this.#setup.limits;
		const mostMs = Math.min(retryAfterMs, retryAfterMaxMs);
		this.pace.throttled(writtenAt, now, mostMs);
		this.#wakeIn(this.pace.waitMs(now));
	}

	/** What waits here goes back: another route may take it. */
	#goDown(why: "unreachable" | "refused", error: string, now: number): void {
		if (this.#health.down(why, error, now))
			this.#setup.log.warn(
				{ route: this.#route.code, error },
				why === "refused"
					? "the HTTP operator refuses the account"
					: "the HTTP operator cannot be reached",
			);
		this.giveBackAll(error);
		this.#wakeIn(this.#health.waitMs(now));
	}

	#wakeIn(ms: number): void {
		clearTimeout(this.#wake);
		if (this.#stopped !== undefined) return;
		this.#wake = setTimeout(() => this.#wakeUp(), Math.ceil(ms));
	}

	/** Timers may fire a little early: a wait that is not over yet would otherwise never be told to be over. */
	#wakeUp(): void {
		const now = performance.now();
		const leftMs = Math.max(this.#health.waitMs(now), this.pace.pauseMs(now));
		if (leftMs > 0) {
			this.#wakeIn(leftMs);
			return;
		}
		this.pump();
		this.#setup.onChange();
	}
}

function toRateLimit({ rate }: HttpRoute): RateLimit | undefined {
	return rate === undefined ? undefined : new RateLimit(0, performance.now());
}
