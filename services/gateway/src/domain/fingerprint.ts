import { createHash } from "node:crypto";

const KEY = /^[A-Za-z0-9._:-]{1,255}$/;

export function isIdempotencyKey(text: string): boolean {
	return KEY.test(text);
}

/** SHA-256 over method, route and canonical body: the same whatever the order of fields and the spaces between. */
export function requestFingerprint(
	method: string,
	route: string,
	body: unknown,
): Buffer {
	return createHash("sha256")
		.update(`${method} ${route}\n`)
		.update(canonicalJson(body))
		.digest();
}

/** JSON with the keys of every object sorted by UTF-16 unit; fields that are undefined are left out. */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const fields = Object.entries(value)
		.filter(([, field]) => field !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
	return `{${fields.join(",")}}`;
}
