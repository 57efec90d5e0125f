import { statusKind } from "../domain/smpp-status.ts";
import type { PartOutcome, PartResult } from "../domain/submit-result.ts";
import type { BindPool, FreeBind } from "./session/bind-pool.ts";
import type { LiveRoute } from "./session/live-route.ts";
import type { SmppBind } from "./session/smpp-bind.ts";
import type { Pdu, PduFields } from "./session/smpp-pdu.ts";
import {
	endSubmitSpan,
	isGone,
	type Job,
	type MessageInFlight,
	obstacleTo,
	outcomeOf,
	startSubmitSpan,
	toPartOutcome,
} from "./submit-job.ts";
import { SubmitQueue } from "./submit-queue.ts";

export interface SubmitterSetup {
	readonly live: LiveRoute;
	readonly binds: BindPool;
	readonly onChange: () => void;
	/** Told of each response to a submit_sm, also a late one, with the time since it was written, ms. */
	readonly onResponse: (ms: number) => void;
}

/** Writes parts to the binds of a route, inside their windows. */
export class SmppSubmitter {
	readonly #setup: SubmitterSetup;
	readonly queue: SubmitQueue<Job, FreeBind>;

	constructor(setup: SubmitterSetup) {
		this.#setup = setup;
		const { live, binds, onChange } = setup;
		this.queue = new SubmitQueue({
			limits: live.limits,
			window: () => binds.window,
			places: () => this.#places(),
			freePlaces: (waiting) =>
				binds.freeSlots - waiting.filter(({ message }) => !message.via).length,
			obstacle: obstacleTo,
			write: (job, via, now) => this.#write(job, via, now),
			onChange,
		});
		this.queue.limitTo(binds.rates);
	}

	add(
		part: number,
		fields: PduFields,
		sender: string,
		message: MessageInFlight,
	): Promise<PartResult> {
		const deadline = performance.now() + this.#setup.live.limits.queueTimeoutMs;
		return new Promise((resolve) => {
			const settle = (outcome: PartOutcome) => resolve({ part, ...outcome });
			const { lane } = message;
			const job = { lane, sender, fields, message, deadline };
			this.queue.add({ ...job, settle, giveBack: settle });
		});
	}

	/** The freest bind, or that of the message's first part, which needs no free slot once its connection is gone. */
	#places(): (job: Job) => FreeBind | undefined {
		const { binds } = this.#setup;
		const freest = binds.freest();
		return ({ message: { via = freest } }) =>
			via && (isGone(via) || binds.hasFreeSlot(via)) ? via : undefined;
	}

	#write(job: Job, via: FreeBind, now: number): void {
		job.message.via = via;
		const span = startSubmitSpan(job.message.span, this.#setup.live.route);
		via.connection.submit(job.fields, (response) => {
			if (span !== undefined) endSubmitSpan(span, response);
			const read = (pdu: Pdu) => {
				this.#setup.onResponse(performance.now() - now);
				return this.#read(pdu, job, via.bind, now);
			};
			job.settle(toPartOutcome(response, read));
			this.queue.pump();
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
		const pauseMs = this.queue.pace.pauseMs(performance.now());
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
			this.queue.pace.took(writtenAt, now);
			return;
		}
		const kind = statusKind(pdu.status, this.#setup.live.route.statuses);
		if (kind === "throttled") this.queue.throttled(writtenAt, now);
		if (kind === "session") bind.retire("the operator refused the session");
	}
}
