import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { parseBody } from "../control-server.ts";
import type { BusinessAccount } from "./business-account.ts";

const MAX_SENDS = 10_000;

const inbound = z.strictObject({
	text: z.string().optional(),
	from: z.string().optional(),
	user_id: z.string().optional(),
	phone_number_id: z.string().optional(),
	timestamp: z.int().positive().optional(),
});
const preference = z.strictObject({
	from: z.string(),
	value: z.enum(["stop", "resume"]),
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
const sendsQuery = z.object({
	from: z.coerce.number().int().min(0).default(0),
});

/**
 * JSON in and out: `GET stats`, `GET sends?from=<index>`, `GET templates`, `POST inbound {from, text}`, `POST
 * preference {from, value, phone_number_id?, timestamp?}`, `POST template {name, language, status?, category?,
 * notify?}`.
 */
export function controlRoutes(account: BusinessAccount): FastifyPluginAsync {
	return async (app) => {
		app.get("/stats", async () => ({
			sends: account.sends.length,
			refused: account.countRefused(),
			callbacksPosted: account.poster.posted,
			callbacksPending: account.poster.pending,
		}));
		app.get("/sends", async ({ query }) =>
			readPage(account, sendsQuery.parse(query).from),
		);
		app.get("/templates", async () => ({ templates: account.templates.all }));
		app.post("/inbound", async (request) => {
			const { from, text, timestamp, ...ids } = inbound.parse(
				parseBody(request),
			);
			const id = await account.receiveText({
				text,
				timestamp,
				from: from?.replace("+", ""),
				userId: ids.user_id,
				phoneNumberId: ids.phone_number_id,
			});
			return { id };
		});
		app.post("/preference", async (request) => {
			const { from, value, phone_number_id, timestamp } = preference.parse(
				parseBody(request),
			);
			await account.changePreference({
				from: from.replace("+", ""),
				value,
				...(phone_number_id && { phoneNumberId: phone_number_id }),
				...(timestamp && { timestamp }),
			});
			return { taken: true };
		});
		app.post("/template", async (request) => {
			const patch = templatePatch.parse(parseBody(request));
			if (!(await account.changeTemplate(patch)))
				throw new Error("no such template");
			return { changed: true };
		});
	};
}

function readPage({ sends }: BusinessAccount, from: number) {
	const page = sends.slice(from, from + MAX_SENDS);
	return { total: sends.length, next: from + page.length, sends: page };
}
