import type { z } from "zod";
import { COMMON_OPTIONS } from "../route/common-options.ts";
import {
	type Call,
	COMMON_SETTINGS,
	MESSAGE_FIELDS,
	type Shape,
	shape,
} from "./description-shape.ts";
import { findValue } from "./find-value.ts";
import { placeholdersOf, textsOf } from "./template.ts";

/** What is wrong with the way in which several messages go together; undefined where nothing is. */
function findBatchFault({ batch, send, response }: Shape): string | undefined {
	if (response.messages !== undefined && response.segments !== undefined)
		return "response takes one of segments and messages";
	if (batch === undefined) return undefined;
	const list = findValue(send.json, batch.list);
	if (!Array.isArray(list) || list.length !== 1)
		return `send has no list of one element at ${batch.list}`;
	return response.messages === undefined
		? "response does not say where messages stands"
		: undefined;
}

/** What an HTTP operator's interface is like. */
export const description = shape.superRefine((value, ctx) => {
	const settings = [...COMMON_SETTINGS, ...Object.keys(value.settings)];
	const all = [...settings, ...MESSAGE_FIELDS];
	for (const [where, texts, known] of templatesOf(value, settings, all))
		for (const unknown of texts.flatMap(placeholdersOf))
			if (!known.includes(unknown))
				ctx.addIssue({
					code: "custom",
					path: [where],
					message: `{${unknown}} is not known here; known are ${known.join(", ")}`,
				});
	for (const one of [...COMMON_SETTINGS, ...MESSAGE_FIELDS, ...RESERVED])
		if (one !== "account" && one in value.settings)
			ctx.addIssue({
				code: "custom",
				path: ["settings", one],
				message: "is the name of something else",
			});
	const message = findBatchFault(value);
	if (message !== undefined)
		ctx.addIssue({ code: "custom", path: ["batch"], message });
	for (const where of ["send", "check"] as const) {
		const { method, form, json } = value[where] ?? { method: "POST" };
		const bodies = [form, json].filter((body) => body !== undefined).length;
		if (bodies > (method === "POST" ? 1 : 0))
			ctx.addIssue({
				code: "custom",
				path: [where],
				message: "takes one of form and json, and with GET none",
			});
	}
});

/** Settings that say something else of a route. */
const RESERVED = [
	"preset",
	"description",
	"connections",
	"batch",
	"rate",
	"timeout",
	...COMMON_OPTIONS,
];

export type Description = z.infer<typeof description>;
export type DescriptionInput = z.input<typeof description>;

function* templatesOf(
	{ auth, headers, send, check, callback }: Shape,
	settings: readonly string[],
	all: readonly string[],
): Generator<[string, readonly string[], readonly string[]]> {
	yield ["auth", auth ? [auth.user, auth.password] : [], settings];
	yield ["headers", Object.values(headers), settings];
	yield ["send", callTexts(send), all];
	yield ["check", check ? callTexts(check) : [], settings];
	const { verify } = callback;
	yield [
		"callback",
		[verify.kind === "hmac" ? verify.key : verify.value],
		settings,
	];
}

function callTexts({ path, query, form, json }: Call): string[] {
	const parameters = [
		...Object.values(query ?? {}),
		...Object.values(form ?? {}),
	];
	return [path, ...parameters, ...(json === undefined ? [] : textsOf(json))];
}
