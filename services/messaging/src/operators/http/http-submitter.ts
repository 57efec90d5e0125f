import type { Logger } from "@airtower/platform/runtime/log";
import {
	currentSpan,
	endSpan,
	type Span,
	SpanKind,
	startSpan,
} from "@airtower/platform/tracing/spans";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import { rateShare } from "../../domain/bind-share.ts";
import type { PartUnsent, SubmitResult } from "../../domain/submit-result.ts";
import type { OutgoingMessage } from "../outgoing-message.ts";
import { NO_SLOT, type Queued, SubmitQueue } from "../submit-queue.ts";
import type { Availability, HttpLimits } from "./availability.ts";
import type { Egress } from "./egress.ts";
import {
	createHttpClient,
	type Exchange,
	type HttpClient,
} from "./http-client.ts";
import { sendRequest } from "./http-request.ts";
import { readResponse } from "./http-response.ts";
import { type HttpRoute, needsClient } from "./http-route.ts";
import { toOutcome, toResult, whole } from "./submit-results.ts";

export interface SubmitterSetup {
	readonly route: HttpRoute;
	readonly log: Logger;
	readonly egress: Egress;
	readonly limits: HttpLimits;
	readonly availability: Availability;
	readonly onChange: () => void;
	/** Told of each response to a message, with the time since its first byte was written, ms. */
	readonly onResponse: (ms: number) => void;
}

interface Job extends Queued {
	readonly message: OutgoingMessage;
	readonly mayWrite: () => boolean;
	readonly settle: (result: SubmitResult) => void;
	readonly span: Span | undefined;
}

/** Sends messages over the connections that are held, while the route is up. */
export class HttpSubmitter {
	readonly #setup: SubmitterSetup;
	readonly #availability: Availability;
	readonly queue: SubmitQueue<Job, true>;
	#route: HttpRoute;
	#client: HttpClient;
	#held: readonly number[] = [];
	#mayOpen: () => boolean = () => false;
	#inFlight = 0;
	#stopped: Promise<void> | undefined;

	constructor(setup: SubmitterSetup) {
		this.#setup = setup;
		this.#availability = setup.availability;
		this.#route = setup.route;
		this.#client = this.#openClient();
		this.queue = new SubmitQueue({
			limits: setup.limits,
			window: () => this.#held.length,
			places: () => () => this.#free() > 0 || undefined,
			freePlaces: (waiting) => this.#free() - waiting.length,
			obstacle: () => (this.#mayOpen() ? undefined : NO_SLOT),
			write: (job, _, now) => void this.#send(job, now),
			downMs: (now) => this.#availability.waitMs(now),
			onChange: setup.onChange,
		});
		this.#shareRates();
	}

	get outstanding(): number {
		return this.#inFlight;
	}

	async add(
		message: OutgoingMessage,
		mayWrite: () => boolean,
	): Promise<SubmitResult> {
		const { sender, attempt } = message;
		const away = this.queue.postponed(sender, 1, attempt > 1);
		if (away !== undefined) return whole(away);
		const deadline = performance.now() + this.#setup.limits.queueTimeoutMs;
		const span = currentSpan();
		return new Promise((settle) => {
			const giveBack = (unsent: PartUnsent) => settle(whole(unsent));
			const job = { sender, deadline, message, mayWrite, span };
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
		const before = this.#route;
		this.#route = route;
		if (needsClient(before, route)) {
			void this.#client.finish();
			this.#client = this.#openClient();
		}
		this.#shareRates();
	}

	/** What is under way is lost. */
	stop(): Promise<void> {
		this.queue.stop();
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
		const most = this.#availability.isProbing ? 1 : Number.POSITIVE_INFINITY;
		return Math.min(this.#held.length, most) - this.#inFlight;
	}

	#shareRates(): void {
		this.queue.limitTo(rateShare(this.#route, this.#held));
	}

	async #send(job: Job, now: number): Promise<void> {
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
		this.queue.pump();
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
		else this.#availability.up();
		const { pace } = this.queue;
		if (readings.some(({ kind }) => kind === "throttled")) {
			const { retryAfterMs = 0 } = response;
			const mostMs = Math.min(retryAfterMs, this.#setup.limits.retryAfterMaxMs);
			this.queue.throttled(writtenAt, now, mostMs);
		} else if (readings.some(({ kind }) => kind === "accepted"))
			pace.took(writtenAt, now);
		const retryAfterMs = Math.ceil(pace.pauseMs(now));
		return toResult(readings.map((one) => toOutcome(one, retryAfterMs)));
	}

	/** What waits here goes back: another route may take it. */
	#goDown(why: "unreachable" | "refused", error: string, now: number): void {
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
