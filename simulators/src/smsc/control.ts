import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { createControlServer, parseBody } from "../control-server.ts";
import { partForms } from "./originated/originated-text.ts";
import { idStyles, receiptStyles } from "./settings.ts";
import type { Smsc } from "./smsc.ts";

const MAX_ENTRIES = 10_000;

const delayMs = z.int().min(0).max(3_600_000);
const settingsPatch = z
	.strictObject({
		answerIds: z.enum(idStyles),
		receiptIds: z.enum(idStyles),
		receiptStyle: z.enum(receiptStyles),
		answerDelayMs: delayMs,
		receiptDelayMs: delayMs,
		timeFactor: z.number().min(0),
		submitsPerSecond: z.int().min(0),
		maxBinds: z.int().min(0),
		redeliverMs: delayMs,
		receiptWindow: z.int().min(1),
		receiptsHeld: z.boolean(),
	})
	.partial();
const number = z.string().regex(/^\+?[0-9A-Za-z ]{1,20}$/);
const originated = z
	.strictObject({
		from: number,
		to: number,
		text: z.string().max(20_000).optional(),
		hex: z.hex().max(60_000).optional(),
		dataCoding: z.int().min(0).max(255).optional(),
		form: z.enum(partForms).optional(),
		reference: z.int().min(0).max(65_535).optional(),
		repeats: z.int().min(0).max(10).optional(),
		isShuffled: z.boolean().optional(),
	})
	.array();
const bindsPatch = z.strictObject({ status: z.int().min(0) });
const logQuery = z.object({ from: z.coerce.number().int().min(0).default(0) });

/**
 * JSON in and out: `GET /stats`, `GET /log?from=<index>`, `GET|PATCH /settings`, `POST /drop`, `POST /silence`,
 * `POST /resume`, `POST /count-anew`, `POST /binds {status}`, `POST /messages [{from, to, text}]`.
 */
export async function startControl(
	smsc: Smsc,
	port: number,
	host = "127.0.0.1",
): Promise<FastifyInstance> {
	const app = createControlServer();
	app.get("/stats", async () => smsc.stats);
	app.get("/log", async ({ query }) =>
		readPage(smsc, logQuery.parse(query).from),
	);
	app.get("/settings", async () => smsc.settings);
	app.patch("/settings", async (request) =>
		Object.assign(smsc.settings, settingsPatch.parse(parseBody(request))),
	);
	app.post("/binds", async (request) => {
		smsc.refuseBinds(bindsPatch.parse(parseBody(request)).status);
		return {};
	});
	app.post("/messages", async (request) => {
		smsc.originate(...originated.parse(parseBody(request)));
		return {};
	});
	const faults = {
		drop: () => smsc.dropConnections(),
		silence: () => smsc.silence(),
		resume: () => smsc.resume(),
		"count-anew": () => smsc.countAnew(),
	};
	for (const [name, cause] of Object.entries(faults))
		app.post(`/${name}`, async () => {
			cause();
			return {};
		});
	await app.listen({ port, host });
	return app;
}

/** Entries from an index on; `next` is the index to go on from, `dropped` how many are gone. */
function readPage(smsc: Smsc, from: number) {
	const { dropped, total, entries } = smsc.log;
	const start = Math.max(0, from - dropped);
	const page = entries.slice(start, start + MAX_ENTRIES);
	return { dropped, total, next: dropped + start + page.length, entries: page };
}
