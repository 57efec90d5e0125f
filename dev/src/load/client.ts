import { Agent } from "undici";
import type { PublicApi } from "../demo/public-api.ts";

/** One POST to the public API. */
export interface ApiRequest {
	/** Below the API's base URL. */
	readonly path: string;
	readonly body: object;
	readonly idempotencyKey?: string;
}

interface ApiResponse {
	readonly status: number;
	readonly text: string;
}

export interface LoadClient {
	/** Resolves with the response, whatever its status. Rejects when the connection fails or a time-out is over. */
	post(api: PublicApi, request: ApiRequest): Promise<ApiResponse>;
	/** Closes all connections, also those with a request in flight. */
	close(): Promise<void>;
}

/**
 * A stopping gateway closes connections that are idle for longer than this. A client that closes them first, whatever
 * time the server offers, never sends a request on a connection that is being closed.
 */
const IDLE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 20_000;

/** Sends over at most so many connections for each address, with one request in flight on each. */
export function openLoadClient(connections: number): LoadClient {
	const agent = new Agent({
		connections,
		pipelining: 1,
		keepAliveTimeout: IDLE_MS,
		keepAliveMaxTimeout: IDLE_MS,
		headersTimeout: RESPONSE_TIMEOUT_MS,
		bodyTimeout: RESPONSE_TIMEOUT_MS,
		connect: { timeout: CONNECT_TIMEOUT_MS },
	});
	return {
		post: ({ baseUrl, apiKey }, { path, body, idempotencyKey }) =>
			new Promise((resolve, reject) => {
				const { origin, pathname } = new URL(`${baseUrl}${path}`);
				const headers = {
					authorization: `Bearer ${apiKey}`,
					"content-type": "application/json",
					...(idempotencyKey && { "idempotency-key": idempotencyKey }),
				};
				let status = 0;
				let text = "";
				// Not `request`: it makes a stream of each response, and the system shares its cores with the load.
				agent.dispatch(
					{
						origin,
						path: pathname,
						method: "POST",
						headers,
						body: JSON.stringify(body),
					},
					{
						onRequestStart() {},
						onResponseStart(_controller, statusCode) {
							status = statusCode;
						},
						onResponseData(_controller, chunk) {
							text += chunk;
						},
						onResponseEnd: () => resolve({ status, text }),
						onResponseError: (_controller, error) => reject(error),
					},
				);
			}),
		close: () => agent.destroy(),
	};
}
