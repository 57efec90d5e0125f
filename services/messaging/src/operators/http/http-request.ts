import { countSegments } from "@airtower/proto/rules/segments";
import type { OutgoingMessage } from "../outgoing-message.ts";
import type { Call, Description } from "./description.ts";
import type { HttpRoute } from "./http-route.ts";
import { fill, fillJson, fillParameters, type Values } from "./template.ts";

export interface HttpRequest {
	readonly method: "GET" | "POST";
	/** With its query. */
	readonly path: string;
	/** Names and values in turn. */
	readonly headers: string[];
	readonly body: string | null;
}

export function sendRequest(
	message: OutgoingMessage,
	route: HttpRoute,
): HttpRequest {
	const fields = messageFields(message, route.description);
	const values = new Map([...route.values, ...fields]);
	return toRequest(route.description.send, route, values);
}

/** Undefined where the description has no call that only checks the account. */
export function checkRequest(route: HttpRoute): HttpRequest | undefined {
	const { check } = route.description;
	return check && toRequest(check, route, route.values);
}

function messageFields(
	{ messageId, to, sender, body, validitySeconds }: OutgoingMessage,
	{ encodings, validity }: Description,
): [string, string | number][] {
	return [
		["messageId", messageId],
		["to", to],
		["toDigits", withoutPlus(to)],
		["from", sender],
		["fromDigits", withoutPlus(sender)],
		["text", body],
		["encoding", encodings[countSegments(body).encoding]],
		["validity", inUnit(validitySeconds, validity)],
	];
}

const SECONDS = { milliseconds: 1 / 1_000, seconds: 1, minutes: 60 } as const;

/** Whole units, rounded down: the operator shall not deliver what has expired here. */
function inUnit(
	seconds: number,
	{ unit, least, most = Number.POSITIVE_INFINITY }: Description["validity"],
): number {
	const units = Math.floor(seconds / SECONDS[unit]);
	return Math.min(most, Math.max(least, units));
}

function withoutPlus(address: string): string {
	return address.replace(/^\+/, "");
}

function toRequest(
	{ method, path, query, form, json }: Call,
	{ address, description, values: settings }: HttpRoute,
	values: Values,
): HttpRequest {
	const basePath = address.pathname.replace(/\/+$/, "");
	const search = query === undefined ? "" : fillParameters(query, values);
	const [type, body] = toBody({ form, json }, values);
	const headers = Object.entries(description.headers).flatMap(
		([name, template]) => [name, fill(template, settings)],
	);
	return {
		method,
		path: `${basePath}${fill(path, values, encode)}${search === "" ? "" : `?${search}`}`,
		headers: [
			"accept",
			"application/json",
			...(type === undefined ? [] : ["content-type", type]),
			...authHeader(description, settings),
			...headers,
		],
		body,
	};
}

function toBody(
	{ form, json }: Pick<Call, "form" | "json">,
	values: Values,
): [type: string | undefined, body: string | null] {
	if (json !== undefined)
		return ["application/json", JSON.stringify(fillJson(json, values))];
	if (form !== undefined)
		return ["application/x-www-form-urlencoded", fillParameters(form, values)];
	return [undefined, null];
}

function authHeader({ auth }: Description, settings: Values): string[] {
	if (auth === undefined) return [];
	const login = `${fill(auth.user, settings)}:${fill(auth.password, settings)}`;
	return ["authorization", `Basic ${Buffer.from(login).toString("base64")}`];
}

/** A lone surrogate has no percent-encoding. */
function encode(value: string): string {
	return encodeURIComponent(value.toWellFormed());
}
