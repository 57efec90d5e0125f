import { countSegments } from "@airtower/proto/rules/segments";
import type { OutgoingMessage } from "../outgoing-message.ts";
import type { Description } from "./description.ts";
import type { Call } from "./description-shape.ts";
import { findValue } from "./find-value.ts";
import type { HttpRoute } from "./http-route.ts";
import {
	fill,
	fillJson,
	fillParameters,
	type Json,
	type Values,
} from "./template.ts";

type Batch = NonNullable<Description["batch"]>;

export interface HttpRequest {
	readonly method: "GET" | "POST";
	/** With its query. */
	readonly path: string;
	/** Names and values in turn. */
	readonly headers: string[];
	readonly body: string | null;
	/** How many messages it sends: the response may have an entry for each. Absent: one or none. */
	readonly messages?: number;
}

/** @param messages more than one only where {@link groupOf} is the same for all */
export function sendRequest(
	messages: readonly OutgoingMessage[],
	route: HttpRoute,
): HttpRequest {
	const { send, batch } = route.description;
	const { json } = send;
	const [first = route.values, ...others] = messages.map((message) =>
		valuesOf(message, route),
	);
	if (batch === undefined || json === undefined)
		return toRequest(send, route, first);
	const elements = others.map((values) => elementOf(json, batch, values));
	const request = toRequest(send, route, first, (body) => {
		listOf(body, batch)?.push(...elements);
	});
	return { ...request, messages: messages.length };
}

/** Messages may go in one request whose requests differ in the list's element alone. */
export function groupOf(message: OutgoingMessage, route: HttpRoute): string {
	const { send, batch } = route.description;
	const { path, body } = toRequest(
		send,
		route,
		valuesOf(message, route),
		(body) => {
			if (batch !== undefined) listOf(body, batch)?.splice(0);
		},
	);
	return `${path} ${body}`;
}

function valuesOf(message: OutgoingMessage, route: HttpRoute): Values {
	return new Map([
		...route.values,
		...messageFields(message, route.description),
	]);
}

function listOf(body: Json, { list }: Batch): Json[] | undefined {
	const found = findValue(body, list);
	return Array.isArray(found) ? found : undefined;
}

function elementOf(json: Json, batch: Batch, values: Values): Json {
	return listOf(fillJson(json, values), batch)?.[0] ?? null;
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
	change: (body: Json) => void = () => {},
): HttpRequest {
	const basePath = address.pathname.replace(/\/+$/, "");
	const search = query === undefined ? "" : fillParameters(query, values);
	const [type, body] = toBody({ form, json }, values, change);
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
	change: (body: Json) => void,
): [type: string | undefined, body: string | null] {
	if (json !== undefined) {
		const filled = fillJson(json, values);
		change(filled);
		return ["application/json", JSON.stringify(filled)];
	}
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
