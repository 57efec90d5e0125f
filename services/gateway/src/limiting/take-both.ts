import { tighter, type Verdict } from "../domain/rate-window.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import type { RateLimiter } from "./rate-limiter.ts";

type Now<T> = T | Promise<T>;

/** Takes one unit of the key's window, then of its organization's: what a key is refused costs the others nothing. */
export function takeBoth(
	limiter: Pick<RateLimiter, "take">,
	key: VerifiedKey,
): Now<Verdict> {
	return after(limiter.take(key.apiKeyId, key.rateLimit), (own) => {
		if (!own.allowed) return own;
		const { organizationId, organizationRateLimit } = key;
		const shared = limiter.take(organizationId, organizationRateLimit);
		return after(shared, (all) => tighter(own, all));
	});
}

function after<T>(value: Now<T>, next: (value: T) => Now<T>): Now<T> {
	return value instanceof Promise ? value.then(next) : next(value);
}
