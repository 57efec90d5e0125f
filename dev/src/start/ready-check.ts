const TIMEOUT_MS = 2_000;

/** True when the address answers with a 2xx status now. */
export async function answersOk(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, {
			headers: { connection: "close" },
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}
