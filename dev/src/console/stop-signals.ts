export interface StopRequests {
	readonly stop: AbortSignal;
	readonly kill: AbortSignal;
}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
/** One Ctrl-C comes several times: from the terminal, from npm and from the launcher. */
const SAME_PRESS_MS = 500;

/** The first Ctrl-C asks to stop, another one later to stop at once. So does the launcher's end. */
export function listenForStop(): StopRequests {
	const stop = new AbortController();
	const kill = new AbortController();
	let firstAt: number | undefined;

	function request(): void {
		firstAt ??= Date.now();
		if (!stop.signal.aborted) stop.abort();
		else if (Date.now() - firstAt > SAME_PRESS_MS) kill.abort();
	}

	for (const signal of SIGNALS) process.on(signal, request);
	process.once("disconnect", () => stop.abort());
	return { stop: stop.signal, kill: kill.signal };
}

export function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
