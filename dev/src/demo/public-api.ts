export interface PublicApi {
	readonly baseUrl: string;
	readonly apiKey: string;
}

const TIMEOUT_MS = 10_000;

/** @throws Error in the API's own words on every status but 2xx, and when nothing responds */
export async function callApi<T>(
	{ baseUrl, apiKey }: PublicApi,
	method: "GET" | "POST" | "DELETE",
	path: string,
	body?: unknown,
): Promise<{ status: number; body: T }> {
	const response = await fetch(`${baseUrl}${path}`, {
		method,
		headers: {
			authorization: `Bearer ${apiKey}`,
			...(body === undefined ? {} : { "content-type": "application/json" }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((cause: unknown) => {
		throw new Error(`nothing responds at ${baseUrl}`, { cause });
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.status} ${text}`);
	return { status: response.status, body: JSON.parse(text) as T };
}
