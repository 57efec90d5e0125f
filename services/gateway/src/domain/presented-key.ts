import { isApiKey } from "@airtower/proto/rules/api-key";

export interface KeyHeaders {
	readonly authorization?: string | undefined;
	readonly "x-api-key"?: string | string[] | undefined;
}

export type PresentedKey =
	| { readonly kind: "key"; readonly key: string }
	| { readonly kind: "missing" }
	| { readonly kind: "malformed" };

const MISSING: PresentedKey = { kind: "missing" };
const MALFORMED: PresentedKey = { kind: "malformed" };
const BEARER = /^bearer +(\S+) *$/i;

/** The key in `Authorization: Bearer` or `x-api-key`; where the two differ nobody should have to guess which counts. */
export function presentedKey(headers: KeyHeaders): PresentedKey {
	const { authorization, "x-api-key": direct } = headers;
	if (authorization === undefined && direct === undefined) return MISSING;
	const bearer =
		authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
	if (authorization !== undefined && bearer === undefined) return MALFORMED;
	const key = direct ?? bearer;
	if (typeof key !== "string" || (bearer !== undefined && bearer !== key))
		return MALFORMED;
	return isApiKey(key) ? { kind: "key", key } : MALFORMED;
}
