/** A question without an answer after this long counts as "no", ms. */
const ANSWER_TIMEOUT_MS = 2_000;

/** The answer to a question; one that fails or does not come within 2 s is "no". */
export async function saysYes(ask: () => Promise<boolean>): Promise<boolean> {
	const late = Promise.withResolvers<boolean>();
	const timer = setTimeout(() => late.resolve(false), ANSWER_TIMEOUT_MS);
	try {
		return await Promise.race([ask(), late.promise]);
	} catch {
		return false;
	} finally {
		clearTimeout(timer);
	}
}
