import { parseJson } from "./find-value.ts";

/** A request that an operator made to us. */
export interface Callback {
	readonly method: "GET" | "POST";
	/** As in its URL, without the question mark. */
	readonly query: string;
	/** By name in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/**
 * What it says: the body of a POST as a JSON document, or the fields of its form, else those of the query. Operators
 * post JSON under the type of a form, and forms under none: the body itself tells.
 */
export function readFields(callback: Callback): unknown {
	const { method, query } = callback;
	if (method === "GET") return Object.fromEntries(new URLSearchParams(query));
	return readDocument(callback) ?? Object.fromEntries(formPairs(callback));
}

/** Names and values of a form, in the order in which they came; none for another body. */
export function formPairs(callback: Callback): [string, string][] {
	if (readDocument(callback) !== undefined) return [];
	return [...new URLSearchParams(textOf(callback))];
}

function readDocument(callback: Callback): object | undefined {
	const json = parseJson(textOf(callback));
	return typeof json === "object" && json !== null ? json : undefined;
}

function textOf({ body }: Callback): string {
	return Buffer.from(body).toString();
}
