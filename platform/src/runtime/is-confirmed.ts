const TIMEOUT_MS = 2_000;

/** True when the check resolves to true within 2 s; false when it fails or takes longer. */
export async function isConfirmed(
	check: () => Promise<boolean>,
): Promise<boolean> {
	const late = Promise.withResolvers<boolean>();
	const timer = setTimeout(() => late.resolve(false), TIMEOUT_MS);
	try {
		return await Promise.race([check(), late.promise]);
	} catch {
		return false;
	} finally {
		clearTimeout(timer);
	}
}
