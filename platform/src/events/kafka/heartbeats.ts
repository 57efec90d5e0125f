import type { EachBatchPayload } from "kafkajs";

interface Heartbeats {
	readonly signal: AbortSignal;
	stop(): void;
	throwIfLost(): void;
}

/** The library sends heartbeats between batches only; these keep the membership during a long one. */
export function sendHeartbeats(
	member: EachBatchPayload,
	signal: AbortSignal,
	heartbeatMs: number,
): Heartbeats {
	const ending = new AbortController();
	let lost: { error: unknown } | undefined;
	const end = () => ending.abort();
	if (signal.aborted) end();
	signal.addEventListener("abort", end, { once: true });
	const timer = setInterval(() => {
		member.heartbeat().catch((error) => {
			lost ??= { error };
			end();
		});
	}, heartbeatMs);
	return {
		signal: ending.signal,
		stop: () => {
			clearInterval(timer);
			signal.removeEventListener("abort", end);
		},
		throwIfLost: () => {
			if (lost !== undefined) throw lost.error;
		},
	};
}
