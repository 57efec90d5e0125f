const ANSWER_TIMEOUT_MS = 2_000;

/** Asks a server for any answer; one that fails or takes longer than 2 s is unreachable. */
export async function healthOf(
	ask: () => Promise<unknown>,
): Promise<"ok" | "unreachable"> {
	const timeout = new Promise<"unreachable">((resolve) => {
		setTimeout(resolve, ANSWER_TIMEOUT_MS, "unreachable").unref();
	});
	const answer = ask().then(
		() => "ok" as const,
		() => "unreachable" as const,
	);
	return Promise.race([timeout, answer]);
}
