import { z } from "zod";
import type { CloudApi } from "./cloud-api.ts";

/** Most sends in one answer. */
const MAX_SENDS = 10_000;

const inbound = z.strictObject({
	text: z.string().optional(),
	from: z
		.string()
		.transform((value) => value.replace("+", ""))
		.optional(),
	user_id: z.string().optional(),
	phone_number_id: z.string().optional(),
	timestamp: z.int().positive().optional(),
});
const templatePatch = z.strictObject({
	name: z.string(),
	language: z.string(),
	status: z.string().optional(),
	category: z.string().optional(),
	notify: z.boolean().optional(),
});

type Handler = (api: CloudApi, url: URL, body: string) => unknown;

const ROUTES: Readonly<Record<string, Handler>> = {
	"GET /control/stats": (api) => ({
		sends: api.sends.length,
		refused: api.desk.refused,
		callbacksPosted: api.poster.posted,
		callbacksPending: api.poster.pending,
	}),
	"GET /control/sends": (api, url) => sendsFrom(api, url),
	"GET /control/templates": (api) => ({ templates: api.templates.all }),
	"POST /control/inbound": async (api, _url, body) => {
		const { user_id, phone_number_id, ...rest } = inbound.parse(
			JSON.parse(body),
		);
		const message = {
			...withoutUndefined(rest),
			...(user_id !== undefined && { userId: user_id }),
			...(phone_number_id !== undefined && { phoneNumberId: phone_number_id }),
		};
		return { id: await api.receiveText(message) };
	},
	"POST /control/template": async (api, _url, body) => {
		const patch = withoutUndefined(templatePatch.parse(JSON.parse(body)));
		if (!(await api.changeTemplate(patch))) throw new Error("no such template");
		return { changed: true };
	},
};

/**
 * Control over HTTP, JSON in and out: `GET /control/stats`, `GET /control/sends?from=<index>`,
 * `GET /control/templates`, `POST /control/inbound {from, text}`,
 * `POST /control/template {name, language, status?, category?, notify?}`.
 */
export async function answerControl(
	api: CloudApi,
	route: string,
	url: URL,
	body: string,
): Promise<{ status: number; value: unknown }> {
	const handler = ROUTES[route];
	if (handler === undefined)
		return { status: 404, value: { routes: Object.keys(ROUTES) } };
	try {
		return { status: 200, value: await handler(api, url, body) };
	} catch (error) {
		return { status: 400, value: { error: String(error) } };
	}
}

/** Sends from an index on; `next` is the index to go on from. */
function sendsFrom(api: CloudApi, url: URL) {
	const from = Number(url.searchParams.get("from") ?? 0);
	const sends = api.sends.slice(from, from + MAX_SENDS);
	return { total: api.sends.length, next: from + sends.length, sends };
}

type Defined<T> = {
	[K in keyof T]: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(value: T): Defined<T> {
	return Object.fromEntries(
		Object.entries(value).filter(([, one]) => one !== undefined),
	) as Defined<T>;
}
