export interface PublicApi {
	readonly baseUrl: string;
	readonly apiKey: string;
}

/** The API answered with an error; the message is its own, with its status and code. */
export class ApiError extends Error {
	override readonly name = "ApiError";
}

const TIMEOUT_MS = 10_000;

/**
 * One call of the public API as any customer would make it.
 * @throws ApiError on every status but 2xx, and when nothing answers
 */
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
		throw new ApiError(`nothing answers at ${baseUrl}`, { cause });
	});
	const text = await response.text();
	if (!response.ok) throw new ApiError(`${response.status} ${text}`);
	return { status: response.status, body: JSON.parse(text) as T };
}
