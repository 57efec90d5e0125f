import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { idStyles, receiptStyles } from "./settings.ts";
import type { Smsc } from "./smsc.ts";

/** Most entries of the log in one answer. */
const MAX_ENTRIES = 10_000;

const settingsSchema = z.strictObject({
	answerIds: z.enum(idStyles),
	receiptIds: z.enum(idStyles),
	receiptStyle: z.enum(receiptStyles),
	answerDelayMs: z.int().min(0),
	receiptDelayMs: z.int().min(0),
	timeFactor: z.number().min(0),
	submitsPerSecond: z.int().min(0),
	redeliverMs: z.int().min(0),
	receiptWindow: z.int().min(1),
});
const settingsPatch = settingsSchema.partial();
const bindsPatch = z.strictObject({ status: z.int().min(0) });

type Handler = (smsc: Smsc, url: URL, body: string) => unknown;

const ROUTES: Readonly<Record<string, Handler>> = {
	"GET /stats": (smsc) => smsc.stats,
	"GET /log": (smsc, url) =>
		logPage(smsc, Number(url.searchParams.get("from"))),
	"GET /settings": (smsc) => smsc.settings,
	"PATCH /settings": (smsc, _url, body) =>
		Object.assign(smsc.settings, settingsPatch.parse(JSON.parse(body))),
	"POST /drop": (smsc) => smsc.dropConnections(),
	"POST /silence": (smsc) => smsc.stopAnswering(),
	"POST /resume": (smsc) => smsc.resumeAnswering(),
	"POST /binds": (smsc, _url, body) =>
		smsc.refuseBinds(bindsPatch.parse(JSON.parse(body)).status),
};

/**
 * Control of a simulator over HTTP, JSON in and out: `GET /stats`, `GET /log?from=<index>`,
 * `GET|PATCH /settings`, `POST /drop`, `POST /silence`, `POST /resume`, `POST /binds {status}`.
 */
export function startControl(
	smsc: Smsc,
	port: number,
	host = "127.0.0.1",
): Promise<Server> {
	const server = createServer((request, response) => {
		void answer(smsc, request).then(({ status, body }) => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify(body ?? {}));
		});
	});
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve(server));
	});
}

async function answer(
	smsc: Smsc,
	request: IncomingMessage,
): Promise<{ status: number; body: unknown }> {
	const url = new URL(request.url ?? "/", "http://smsc");
	const handler = ROUTES[`${request.method} ${url.pathname}`];
	if (handler === undefined)
		return { status: 404, body: { routes: Object.keys(ROUTES) } };
	try {
		return { status: 200, body: handler(smsc, url, await text(request)) };
	} catch (error) {
		return { status: 400, body: { error: String(error) } };
	}
}

/** Entries from an index on; `next` is the index to go on from, `dropped` how many are gone. */
function logPage(smsc: Smsc, from: number) {
	const { dropped, total, entries } = smsc.log;
	const start = Math.max(0, from - dropped);
	const page = entries.slice(start, start + MAX_ENTRIES);
	return { dropped, total, next: dropped + start + page.length, entries: page };
}
