import { setImmediate as turn } from "node:timers/promises";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Ends a unary call at the caller's deadline or after `capMs`, whichever comes first, even when its
 * handler does not look at its signal. A call that was given up before its turn is not begun: what a process that
 * stood still finds in its sockets are calls, and behind them the word that nobody waits for them any more.
 */
export function createDeadline(capMs: number): Interceptor {
	return (next) => async (req) => {
		if (req.stream) return next(req);
		const controller = new AbortController();
		const ended = Promise.withResolvers<never>();
		const end = (reason: unknown) => {
			const error = ConnectError.from(reason, Code.Canceled);
			controller.abort(error);
			ended.reject(error);
		};
		const onAbort = () => end(req.signal.reason);
		const timer = setTimeout(() => end(overdue()), capMs);
		req.signal.addEventListener("abort", onAbort, { once: true });
		if (req.signal.aborted) onAbort();
		const answer = async () => {
			await turn();
			controller.signal.throwIfAborted();
			return next({ ...req, signal: controller.signal });
		};
		try {
			return await Promise.race([answer(), ended.promise]);
		} finally {
			clearTimeout(timer);
			req.signal.removeEventListener("abort", onAbort);
		}
	};
}

function overdue(): ConnectError {
	return new ConnectError(
		"The call took longer than the service allows.",
		Code.DeadlineExceeded,
	);
}
