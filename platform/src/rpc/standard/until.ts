/** Passes items on until the signal is aborted, also while waiting for the next one. */
export async function* until<T>(
	signal: AbortSignal,
	items: AsyncIterable<T>,
): AsyncGenerator<T> {
	const stop = Promise.withResolvers<{ done: true; value: undefined }>();
	const onAbort = () => stop.resolve({ done: true, value: undefined });
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	const iterator = items[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = await Promise.race([iterator.next(), stop.promise]);
			if (next.done === true) return;
			yield next.value;
		}
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
}
