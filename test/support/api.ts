import { Agent, request } from "undici";

export interface ApiResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
	/** The parsed body. */
	readonly body: Record<string, unknown>;
}

export interface ApiClient {
	get(path: string): Promise<ApiResponse>;
	post(
		path: string,
		body: unknown,
		headers?: Record<string, string>,
	): Promise<ApiResponse>;
	delete(path: string): Promise<ApiResponse>;
	close(): Promise<void>;
}

/** A client of the public API with `connections` connections of its own. */
export function apiClient(
	baseUrl: string,
	apiKey: string,
	connections = 1,
): ApiClient {
	const agent = new Agent({ connections, pipelining: 1 });
	async function call(
		method: "GET" | "POST" | "DELETE",
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<ApiResponse> {
		const response = await request(`${baseUrl}${path}`, {
			method,
			dispatcher: agent,
			headers: {
				authorization: `Bearer ${apiKey}`,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.body.text();
		return {
			status: response.statusCode,
			headers: response.headers,
			text,
			body: JSON.parse(text) as Record<string, unknown>,
		};
	}
	return {
		get: (path) => call("GET", path),
		post: (path, body, headers) => call("POST", path, body, headers),
		delete: (path) => call("DELETE", path),
		close: () => agent.destroy(),
	};
}
