import {
	endSpan,
	type Span,
	SpanKind,
	startSpan,
	traceparentOf,
} from "@airtower/platform/tracing/spans";
import type { Lane } from "../domain/lanes.ts";
import { canonicalKeys } from "../domain/operator-message-id.ts";
import {
	failureReason,
	statusKind,
	statusText,
} from "../domain/smpp-status.ts";
import type {
	PartAccepted,
	PartOutcome,
	PartResult,
} from "../domain/submit-result.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { BindPool, FreeBind } from "./session/bind-pool.ts";
import type { LiveRoute } from "./session/live-route.ts";
import type { Response } from "./session/pending-requests.ts";
import type { SmppBind } from "./session/smpp-bind.ts";
import { type Pdu, type PduFields, textField } from "./session/smpp-pdu.ts";
import { NOT_OURS, type Queued, SubmitQueue } from "./submit-queue.ts";

interface SubmitterSetup {
	readonly live: LiveRoute;
	readonly binds: BindPool;
	readonly onChange: () => void;
	/** Told of each response to a submit_sm, also a late one, with the time since it was written, ms. */
	readonly onResponse: (ms: number) => void;
}

interface Job extends Queued {
	readonly fields: PduFields;
	readonly message: MessageInFlight;
	readonly settle: (outcome: PartOutcome) => void;
}

interface MessageInFlight {
	readonly lane: Lane;
	refused: boolean;
	/** Where its first part went. The others follow: one attempt breaks no more than one connection. */
	via?: FreeBind;
	readonly mayWrite: () => boolean;
	/** Of its dispatch; undefined for a message that is not traced. */
	readonly span?: Span | undefined;
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

/** Why a part is not written although it is its turn. */
function obstacleTo({ message }: Job): string | undefined {
	if (message.refused) return "another part was refused";
	if (message.via && isGone(message.via)) return "its connection is gone";
	return message.mayWrite() ? undefined : NOT_OURS;
}

function isGone({ bind, connection }: FreeBind): boolean {
	return bind.connection !== connection;
}

/** Within that of the dispatch; none where that is not traced. */
function startSubmitSpan(
	dispatch: Span | undefined,
	{ code }: SmppRoute,
): Span | undefined {
	if (dispatch === undefined) return undefined;
	return startSpan("smpp submit_sm", traceparentOf(dispatch), {
		kind: SpanKind.CLIENT,
		attributes: { route: code },
	});
}

function endSubmitSpan(span: Span, response: Response): void {
	if (response.kind !== "responded") {
		endSpan(span, response.kind);
		return;
	}
	const { status } = response.pdu;
	span.setAttribute("smpp.command_status", status);
	endSpan(span, status === 0 ? undefined : statusText(status));
}

/** What the operator's response to a submit_sm says of the part. */
function outcomeOf(
	pdu: Pdu,
	route: SmppRoute,
	retryAfterMs: number,
): PartOutcome {
	if (pdu.status === 0) return accepted(pdu, route);
	const kind = statusKind(pdu.status, route.statuses);
	const operatorError = statusText(pdu.status);
	const own = route.reasons.statuses.get(pdu.status);
	const reason = own ?? failureReason(pdu.status, kind);
	if (kind === "session") return { kind, operatorError };
	if (kind === "throttled") return { kind, operatorError, retryAfterMs };
	if (kind === "unclear") return { kind, reason, operatorError };
	const permanent = kind === "permanent";
	return { kind: "refused", permanent, reason, operatorError };
}

function accepted(pdu: Pdu, route: SmppRoute): PartAccepted {
	const operatorMessageId = textField(pdu, "message_id") ?? "";
	const [storeKey = ""] = canonicalKeys(operatorMessageId, route.responseIds);
	return { kind: "accepted", operatorMessageId, storeKey };
}

/** What became of a part that was written, or was to be; `read` takes in the operator's response. */
function toPartOutcome(
	response: Response,
	read: (pdu: Pdu) => PartOutcome,
): PartOutcome {
	if (response.kind === "unwritten")
		return { kind: "unsent", why: response.why };
	if (response.kind === "lost") return toUnknown(response, read);
	const { pdu } = response;
	if (pdu.command !== "submit_sm_resp" && pdu.status === 0)
		return { kind: "unknown", why: `responded with ${pdu.command}` };
	return read(pdu);
}

function toUnknown(
	{ why, late }: Extract<Response, { kind: "lost" }>,
	read: (pdu: Pdu) => PartOutcome,
): PartOutcome {
	if (late === undefined) return { kind: "unknown", why };
	const outcome = late.then(
		(pdu) => pdu && toPartOutcome({ kind: "responded", pdu }, read),
	);
	return { kind: "unknown", why, late: outcome };
}
