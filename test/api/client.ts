import { call } from "../../services/gateway/test/call.ts";
import type { paths } from "./schema.gen.ts";

type Method = "get" | "post" | "delete";

/** The paths that take a method. */
type PathOf<M extends Method> = {
	[P in keyof paths]: paths[P] extends { readonly [K in M]: object }
		? P
		: never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> = NonNullable<
	paths[P][M]
>;

type JsonOf<R> = R extends {
	readonly content: { readonly "application/json": infer Body };
}
	? Body
	: never;

type RequestOf<O> = O extends { readonly requestBody: infer R }
	? JsonOf<R>
	: never;

type QueryOf<O> = O extends {
	readonly parameters: { readonly query?: infer Q };
}
	? NonNullable<Q>
	: never;

type SuccessStatus = 200 | 201 | 202;

type SuccessOf<O> = O extends { readonly responses: infer R }
	? JsonOf<R[keyof R & SuccessStatus]>
	: never;

/** A client of the public API whose types come from the OpenAPI document. A refusal throws. */
export interface TypedClient {
	get<P extends PathOf<"get">>(
		path: P,
		query?: QueryOf<OperationOf<P, "get">>,
	): Promise<SuccessOf<OperationOf<P, "get">>>;
	post<P extends PathOf<"post">>(
		path: P,
		body: RequestOf<OperationOf<P, "post">>,
	): Promise<SuccessOf<OperationOf<P, "post">>>;
	/** `segment` stands for the last, named part of the path. */
	delete<P extends PathOf<"delete">>(
		path: P,
		target: {
			readonly segment?: string;
			readonly query?: QueryOf<OperationOf<P, "delete">>;
		},
	): Promise<SuccessOf<OperationOf<P, "delete">>>;
}

/** Calls with one key; every response is also checked against the document. */
export function typedClient(baseUrl: string, apiKey: string): TypedClient {
	async function send<T>(method: string, path: string, body?: unknown) {
		const response = await call(baseUrl, path, { method, apiKey, body });
		if (response.status < 300) return response.body as T;
		throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
	}
	return {
		get: (path, query) => send("GET", path + queryText(query)),
		post: (path, body) => send("POST", path, body),
		delete: (path, { segment = "", query }) =>
			send(
				"DELETE",
				path.replace(/\{\w+\}/, encodeURIComponent(segment)) + queryText(query),
			),
	};
}

function queryText(query: object | undefined): string {
	const given = Object.entries(query ?? {}).filter(
		([, value]) => value !== undefined,
	);
	if (given.length === 0) return "";
	return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
