import { setImmediate as turn } from "node:timers/promises";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Ends a unary call at the caller's deadline or after `capMs`, whichever comes first, even when its handler
 * ignores its signal. One turn of the event loop comes first: a process that was stopped finds calls in its
 * sockets, and behind them their cancellations. Such a call is not begun.
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
		const handle = async () => {
			await turn();
			controller.signal.throwIfAborted();
			return next({ ...req, signal: controller.signal });
		};
		try {
			return await Promise.race([handle(), ended.promise]);
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
