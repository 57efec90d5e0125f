import type { HandlerContext } from "@connectrpc/connect";
import { unavailable } from "../runtime/domain-error.ts";

/** Time that a commit may take until its caller gives up, ms. */
const COMMIT_MS = 500;

/**
 * To be called last in a transaction whose result is shown once, a secret, or that makes a second thing when its client
 * tries again without a key: a caller that has given up, or is about to, has told its client that nothing was made.
 * Throws `service_unavailable`, which undoes the transaction.
 */
export function assertInTime({
	signal,
	timeoutMs,
}: Pick<HandlerContext, "signal" | "timeoutMs">): void {
	const leftMs = timeoutMs() ?? Number.POSITIVE_INFINITY;
	if (!signal.aborted && leftMs >= COMMIT_MS) return;
	throw unavailable(
		"service_unavailable",
		"The database took too long; nothing was made.",
	);
}
