import { setImmediate as turn } from "node:timers/promises";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/** After one turn of the event loop: a process that was stopped finds calls that were cancelled in its sockets. */
export function createDeadline(capMs: number): Interceptor {
	return (next) => async (req) => {
		if (req.stream) return next(req);
		const end = endOf(req.signal, capMs);
		const handle = async () => {
			await turn();
			end.signal.throwIfAborted();
			return next({ ...req, signal: end.signal });
		};
		try {
			return await Promise.race([handle(), end.reached]);
		} finally {
			end.dispose();
		}
	};
}

function endOf(outer: AbortSignal, capMs: number) {
	const controller = new AbortController();
	const ended = Promise.withResolvers<never>();
	const end = (reason: unknown) => {
		const error = ConnectError.from(reason, Code.Canceled);
		controller.abort(error);
		ended.reject(error);
	};
	const onAbort = () => end(outer.reason);
	const timer = setTimeout(() => end(overdue()), capMs);
	outer.addEventListener("abort", onAbort, { once: true });
	if (outer.aborted) onAbort();
	const dispose = () => {
		clearTimeout(timer);
		outer.removeEventListener("abort", onAbort);
	};
	return { signal: controller.signal, reached: ended.promise, dispose };
}

function overdue(): ConnectError {
	return new ConnectError(
		"The call took longer than the service allows.",
		Code.DeadlineExceeded,
	);
}
