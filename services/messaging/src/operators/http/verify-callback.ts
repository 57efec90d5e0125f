import { createHmac } from "node:crypto";
import { isSameSecret } from "@airtower/platform/sealing/same-secret";
import { type Callback, formPairs, readFields } from "./callback.ts";
import type { Verification } from "./description-shape.ts";
import { findText } from "./find-value.ts";
import { type HttpRoute, secretOf } from "./http-route.ts";

type Hmac = Extract<Verification, { kind: "hmac" }>;

/**
 * Of a body whose fields must be read before anybody knows who sent it, bytes: operators that sign fields post one
 * receipt or text at a time. To read and sort those of a mebibyte takes a second, in which nothing else is done.
 */
const MAX_FIELDS_BYTES = 65_536;

/**
 * Whether a callback to a URL is of the route's operator; one that is too long to be looked into is not. Compares in
 * constant time.
 */
export function isGenuine(
	callback: Callback,
	route: HttpRoute,
	url = route.callback,
): boolean {
	const { verify } = route.description.callback;
	if (isOverFields(verify) && callback.body.length > MAX_FIELDS_BYTES)
		return false;
	const given = findGiven(callback, verify);
	if (given === "") return false;
	const secret = secretOf(route.description, route.values);
	if (verify.kind === "secret") return isSameSecret(given, secret);
	return signedTexts(callback, verify, url).some((text) => {
		const mac = createHmac(verify.algorithm, secret).update(text);
		const expected = `${verify.prefix}${mac.digest(verify.encoding)}`;
		return isSameSecret(
			toComparable(given, verify),
			toComparable(expected, verify),
		);
	});
}

function isOverFields(verify: Verification): boolean {
	return (
		verify.kind === "hmac" && (verify.in === "field" || verify.over !== "body")
	);
}

function findGiven(callback: Callback, verify: Verification): string {
	switch (verify.in) {
		case "header":
			return callback.headers[verify.name.toLowerCase()] ?? "";
		case "query":
			return new URLSearchParams(callback.query).get(verify.name) ?? "";
		case "field":
			return findText(readFields(callback), verify.name) ?? "";
	}
}

/** Hexadecimal digits are the same in both cases. */
function toComparable(signature: string, { encoding }: Hmac): string {
	return encoding === "hex" ? signature.toLowerCase() : signature;
}

function signedTexts(
	callback: Callback,
	{ over, name }: Hmac,
	url: string,
): (string | Uint8Array)[] {
	switch (over) {
		case "body":
			return [callback.body];
		case "url_and_form": {
			const form = sortedForm(callback);
			const query = callback.query === "" ? "" : `?${callback.query}`;
			return urlForms(url).map((one) => `${one}${query}${form}`);
		}
		case "fields":
			return [sortedFields(callback, name)];
	}
}

/** Operators write the port of a URL or leave it out, whatever they were told. */
function urlForms(text: string): string[] {
	const url = new URL(text);
	const rest = url.pathname;
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	const origin = `${url.protocol}//${url.hostname}`;
	return [`${origin}:${port}${rest}`, `${origin}${rest}`];
}

/** A pair that comes twice counts once. */
function sortedForm(callback: Callback): string {
	const pairs = formPairs(callback)
		.toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
		.map(([name, value]) => `${name}${value}`);
	return [...new Set(pairs)].join("");
}

function sortedFields(callback: Callback, signature: string): string {
	const fields = readFields(callback);
	const names = Object.keys(Object(fields)).filter((one) => one !== signature);
	return names
		.toSorted(compare)
		.map((one) => {
			const value = Object(fields)[one];
			const text = typeof value === "string" ? value : JSON.stringify(value);
			return `&${one}=${text.replace(/[&=]/g, "_")}`;
		})
		.join("");
}

/** By code units, as the operators' own libraries sort. */
function compare(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
