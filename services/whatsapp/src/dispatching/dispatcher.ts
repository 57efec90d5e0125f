import type { Db } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import {
	createRepeatedTrouble,
	type Logger,
	type RepeatedTrouble,
} from "@airtower/platform/runtime/log";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import {
	continueSpan,
	currentSpan,
	endSpan,
	SpanKind,
	traceparentOf,
} from "@airtower/platform/tracing/spans";
import type { Lease } from "@airtower/platform/work/lease";
import type { Settler } from "@airtower/platform/work/micro-batcher";
import { createWorker, type Worker } from "@airtower/platform/work/worker";
import {
	type AttemptOutcome,
	decideAttempt,
	type SubmitResult,
} from "../domain/attempt-outcome.ts";
import type { OutgoingMessage, Provider } from "../provider/provider.ts";
import {
	type ClaimedMessage,
	claimDispatch,
} from "../store/dispatch/claims.ts";
import { dispatchQueue } from "../store/dispatch/dispatch.ts";
import { claimKey, markSubmitting } from "../store/dispatch/owned-dispatch.ts";
import { prepareMessage } from "./prepare-message.ts";
import {
	createProviderSilence,
	type ProviderSilence,
} from "./provider-silence.ts";
import type { SettledAttempt } from "./settler.ts";

export type Dispatcher = Worker<ClaimedMessage>;

interface DispatcherOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly lease: Lease;
	readonly settler: Settler<SettledAttempt>;
	readonly provider: Provider;
	readonly ring: KeyRing;
	/** Returns a number in [0, 1). */
	readonly random: () => number;
	readonly limits: {
		/** Messages per second of one number, over all processes. */
		readonly ratePerSecond: number;
		readonly maxInFlight: number;
	};
}

/** What goes to the provider, or the outcome of a message that must not be sent any more. */
interface PreparedMessage extends ClaimedMessage {
	readonly prepared: OutgoingMessage | AttemptOutcome;
}

const MAX_CLAIM = 200;
/** How far ahead of its rate a number may run, ms: a claim's worth of messages goes out at once. */
const BURST_MS = 500;

/** Numbers take turns by their rates, which their rows in `pacing` keep over all processes. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
	const { sql, log, lease, settler, limits } = options;
	const silence = createProviderSilence();
	const unreadable = createRepeatedTrouble(log);
	return createWorker<"messageId", PreparedMessage, SettledAttempt>({
		sql,
		log,
		lease,
		settler,
		queue: dispatchQueue,
		putBack: sql`, submitting = false`,
		window: () => Math.min(limits.maxInFlight, MAX_CLAIM),
		capacity: ({ total: unsettled }) =>
			silence.limit(Math.min(limits.maxInFlight - unsettled, MAX_CLAIM)),
		claim: async (limit, token) => {
			const messages = await claim(options, limit, token);
			tellUnreadable(unreadable, messages);
			return messages;
		},
		startSpan: ({ messageId, attempt, traceparent }) =>
			continueSpan("dispatch", traceparent, {
				kind: SpanKind.CONSUMER,
				attributes: { "messaging.message.id": messageId, attempt },
			}),
		attempt: (message, mayWrite) =>
			attempt(options, silence, message, mayWrite),
	});
}

/** Claims messages, and marks those that are to be sent: from then on a crash leaves them unknown. */
async function claim(
	{ sql, ring, limits }: DispatcherOptions,
	limit: number,
	token: string,
): Promise<PreparedMessage[]> {
	const { ratePerSecond } = limits;
	const pace = { ratePerSecond, burstMs: BURST_MS };
	const claimed = await claimDispatch(sql, { token, limit, ...pace });
	if (claimed.length === 0) return [];
	fault("whatsapp.after_claim");
	const messages = claimed.map((message) => ({
		...message,
		prepared: prepareMessage(message, ring),
	}));
	const ready = messages.filter(({ prepared }) => !("kind" in prepared));
	if (ready.length === 0) return messages;
	const marked = await markSubmitting(sql, ready);
	return messages.filter(
		(message) => "kind" in message.prepared || marked.has(claimKey(message)),
	);
}

/** Only a token that cannot be opened postpones a message before its submit. */
function tellUnreadable(
	trouble: RepeatedTrouble,
	messages: readonly PreparedMessage[],
): void {
	for (const { prepared, phoneNumberId } of messages)
		if ("kind" in prepared && prepared.kind === "postponed")
			trouble.tell(
				"error",
				{ err: `the access token of number ${phoneNumberId} cannot be opened` },
				"messages wait: a key is missing in ENCRYPTION_KEYS",
			);
}

async function attempt(
	{ provider, random }: DispatcherOptions,
	silence: ProviderSilence,
	{ prepared, ...message }: PreparedMessage,
	mayWrite: () => boolean,
): Promise<SettledAttempt> {
	if ("kind" in prepared)
		return {
			...message,
			outcome: prepared,
			providerError: undefined,
			wasWritten: false,
		};
	const result = await silence.watch(() =>
		tracedSubmit(provider, prepared, mayWrite),
	);
	fault("whatsapp.after_submit");
	return {
		...message,
		outcome: decideAttempt(result, message.refusals, random()),
		providerError: result.kind === "taken" ? undefined : result.text,
		wasWritten: result.kind !== "unsent",
	};
}

/** With a span of its own, within that of its dispatch. No header tells the provider of it. */
async function tracedSubmit(
	provider: Provider,
	message: OutgoingMessage,
	mayWrite: () => boolean,
): Promise<SubmitResult> {
	const span = continueSpan("cloud api POST", traceparentOf(currentSpan()), {
		kind: SpanKind.CLIENT,
	});
	const result = await provider.submit(message, mayWrite);
	if (result.kind === "refused")
		span?.setAttribute("http.response.status_code", result.httpStatus);
	endSpan(span, result.kind === "taken" ? undefined : result.kind);
	return result;
}
