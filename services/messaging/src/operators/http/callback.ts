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

/** What it says: the body of a POST as a JSON document, or the fields of its form, else those of the query. */
export function readFields({
	method,
	query,
	headers,
	body,
}: Callback): unknown {
	if (method === "GET") return Object.fromEntries(new URLSearchParams(query));
	const text = Buffer.from(body).toString();
	if (isForm(headers)) return Object.fromEntries(new URLSearchParams(text));
	return parseJson(text);
}

/** Names and values of a form, in the order in which they came; none for another body. */
export function formPairs({ headers, body }: Callback): [string, string][] {
	return isForm(headers)
		? [...new URLSearchParams(Buffer.from(body).toString())]
		: [];
}

function isForm(headers: Callback["headers"]): boolean {
	const type = headers["content-type"]?.toLowerCase() ?? "";
	return type.startsWith("application/x-www-form-urlencoded");
}
