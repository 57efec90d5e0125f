import type { SubmitResult } from "../domain/attempt-outcome.ts";

/** Without any response for so long, while several are awaited, the provider is silent, ms. */
const SILENCE_MS = 2_000;
/** So many that are awaited, or were lost in a row: fewer may be chance, and hold up no other message. */
const SEVERAL = 3;
/** How often a message finds out whether it still is, ms. One that gets no response is never sent again. */
const TRY_EVERY_MS = 5_000;

export interface ProviderSilence {
	/** Hears what comes of a submit, which never throws. */
	watch(submit: () => Promise<SubmitResult>): Promise<SubmitResult>;
	/** How many of so many may be sent now. */
	limit(most: number): number;
}

/**
 * Keeps messages back while the provider takes them and says nothing: an outage would leave all of them unknown. The
 * first response lets them go again.
 * @param now a clock that never goes back, ms
 */
export function createProviderSilence(
	now: () => number = () => performance.now(),
): ProviderSilence {
	let awaited = 0;
	/** Since when responses are awaited and none has come. */
	let waitsSince = 0;
	let lastBegunAt = 0;
	let lastHeardAt = Number.NEGATIVE_INFINITY;
	/** Submits since the last response whose own were lost. */
	let lost = 0;

	function hear(kind: SubmitResult["kind"], begunAt: number): void {
		if (kind === "taken" || kind === "refused") {
			lastHeardAt = now();
			waitsSince = lastHeardAt;
			lost = 0;
		} else if (kind === "unknown" && lastHeardAt < begunAt) lost++;
	}

	return {
		async watch(submit) {
			const begunAt = now();
			lastBegunAt = begunAt;
			if (awaited++ === 0) waitsSince = begunAt;
			const result = await submit();
			awaited--;
			hear(result.kind, begunAt);
			return result;
		},
		limit(most) {
			const isMute = awaited >= SEVERAL && now() - waitsSince > SILENCE_MS;
			if (!isMute && lost < SEVERAL) return most;
			return now() - lastBegunAt < TRY_EVERY_MS ? 0 : Math.min(most, 1);
		},
	};
}
