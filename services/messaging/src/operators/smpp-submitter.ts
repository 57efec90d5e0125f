import { statusKind } from "../domain/smpp-status.ts";
import type { PartOutcome, PartResult } from "../domain/submit-result.ts";
import { Pace } from "./pace.ts";
import type { BindPool, FreeBind } from "./session/bind-pool.ts";
import type { LiveRoute } from "./session/live-route.ts";
import type { SmppBind } from "./session/smpp-bind.ts";
import type { Pdu, PduFields } from "./session/smpp-pdu.ts";
import { RateLimit } from "./smpp-rate.ts";
import {
	endSubmitSpan,
	isGone,
	type Job,
	type MessageInFlight,
	NO_SLOT,
	obstacleTo,
	outcomeOf,
	startSubmitSpan,
	toPartOutcome,
} from "./submit-job.ts";

export interface SubmitterSetup {
	readonly live: LiveRoute;
	readonly binds: BindPool;
	readonly onChange: () => void;
	/** Told of each response to a submit_sm, also a late one, with the time since it was written, ms. */
	readonly onResponse: (ms: number) => void;
}

/** So much of the agreed rate may queue here, as a share of a second's segments. */
const RATE_LOOKAHEAD = 1 / 4;

/** Writes parts to the binds of a route, inside their windows, the rate and the operator's throttling. */
export class SmppSubmitter {
	readonly #setup: SubmitterSetup;
	readonly pace: Pace;
	#rate: RateLimit | undefined;
	readonly #queue: Job[] = [];
	#wake: NodeJS.Timeout | undefined;

	constructor(setup: SubmitterSetup) {
		this.#setup = setup;
		this.pace = new Pace(setup.live.limits);
		if (setup.live.route.rate !== undefined)
			this.#rate = new RateLimit(0, performance.now());
	}

	get queued(): number {
		return this.#queue.length;
	}

	capacity(): number {
		const perSecond = this.#rate?.perSecond ?? Number.POSITIVE_INFINITY;
		const most = Math.min(
			Math.ceil(perSecond * RATE_LOOKAHEAD),
			this.pace.mostAhead(performance.now()),
		);
		const anywhere = this.#queue.filter(({ message }) => !message.via).length;
		const freeSlots = this.#setup.binds.freeSlots - anywhere;
		return Math.max(0, Math.min(freeSlots, most - this.#queue.length));
	}

	add(
		part: number,
		fields: PduFields,
		message: MessageInFlight,
	): Promise<PartResult> {
		const deadline = performance.now() + this.#setup.live.limits.queueTimeoutMs;
		return new Promise((resolve) => {
			const settle = (outcome: PartOutcome) => resolve({ part, ...outcome });
			this.#queue.push({ fields, message, settle, deadline });
		});
	}

	/** Sets the part of the route's rate that this process has, segments a second; undefined where it has no limit. */
	limitTo(perSecond: number | undefined): void {
		if (perSecond === this.#rate?.perSecond) return;
		const now = performance.now();
		if (perSecond === undefined) this.#rate = undefined;
		else if (this.#rate === undefined)
			this.#rate = new RateLimit(perSecond, now);
		else this.#rate.change(perSecond, now);
		this.#wakeIn(0);
	}

	pump(): void {
		while (this.#queue.length > 0) {
			const now = performance.now();
			const waitMs = Math.max(
				this.pace.waitMs(now),
				this.#rate?.waitMs(now) ?? 0,
			);
			if (waitMs > 0) {
				if (waitMs < Number.POSITIVE_INFINITY) this.#wakeIn(waitMs);
				return;
			}
			const next = this.#next();
			if (next === undefined) return;
			this.#write(next.job, next.via, now);
		}
	}

	giveBackExpired(): void {
		const now = performance.now();
		while ((this.#queue[0]?.deadline ?? Infinity) <= now)
			this.#queue.shift()?.settle({ kind: "unsent", why: NO_SLOT });
	}

	giveBackAll(why: string): void {
		for (const job of this.#queue.splice(0))
			job.settle({ kind: "unsent", why });
	}

	stop(): void {
		clearTimeout(this.#wake);
	}

	/** The first part for which a window has a free slot; one whose connection is gone needs none. */
	#next() {
		const { binds } = this.#setup;
		const freest = binds.freest();
		for (const [index, job] of this.#queue.entries()) {
			const { via = freest } = job.message;
			if (via === undefined) continue;
			if (!isGone(via) && !binds.hasFreeSlot(via)) continue;
			this.#queue.splice(index, 1);
			return { job, via };
		}
		return undefined;
	}

	#write(job: Job, via: FreeBind, now: number): void {
		const obstacle = obstacleTo(job, now);
		if (obstacle !== undefined) {
			job.settle({ kind: "unsent", why: obstacle });
			return;
		}
		job.message.via = via;
		this.#rate?.take(now);
		this.pace.wrote(now);
		const span = startSubmitSpan(job.message.span, this.#setup.live.route);
		via.connection.submit(job.fields, (response) => {
			if (span !== undefined) endSubmitSpan(span, response);
			const read = (pdu: Pdu) => {
				this.#setup.onResponse(performance.now() - now);
				return this.#read(pdu, job, via.bind, now);
			};
			job.settle(toPartOutcome(response, read));
			this.pump();
			this.#setup.onChange();
		});
	}

	#read(
		pdu: Pdu,
		{ message }: Job,
		bind: SmppBind,
		writtenAt: number,
	): PartOutcome {
		this.#learn(pdu, bind, writtenAt);
		const { route } = this.#setup.live;
		const pauseMs = this.pace.pauseMs(performance.now());
		const outcome = outcomeOf(pdu, route, Math.ceil(pauseMs));
		if (
			outcome.kind === "session" ||
			(outcome.kind === "refused" && outcome.permanent)
		)
			message.refused = true;
		return outcome;
	}

	/** What a response says of the route and the session rather than of the part. */
	#learn(pdu: Pdu, bind: SmppBind, writtenAt: number): void {
		const now = performance.now();
		if (pdu.status === 0) {
			this.pace.took(writtenAt, now);
			return;
		}
		const kind = statusKind(pdu.status, this.#setup.live.route.statuses);
		if (kind === "throttled") {
			this.pace.throttled(writtenAt, now);
			this.#wakeIn(this.pace.waitMs(now));
		}
		if (kind === "session") bind.retire("the operator refused the session");
	}

	#wakeIn(ms: number): void {
		clearTimeout(this.#wake);
		this.#wake = setTimeout(() => this.#wakeUp(), Math.ceil(ms));
	}

	/** Timers may fire a little early: a wait that is not over yet would otherwise never be told to be over. */
	#wakeUp(): void {
		const leftMs = this.pace.pauseMs(performance.now());
		if (leftMs > 0) {
			this.#wakeIn(leftMs);
			return;
		}
		this.pump();
		this.#setup.onChange();
	}
}
