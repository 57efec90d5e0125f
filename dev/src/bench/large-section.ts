import { setTimeout as delay } from "node:timers/promises";
import { callApi } from "../demo/public-api.ts";
import type { Figure } from "./figures.ts";
import {
	CONVERSATIONS,
	fillStore,
	fillWhatsapp,
	STORED,
	WAVE,
	WAVE_SIZE,
} from "./large-store.ts";
import { percentile } from "./percentile.ts";
import type { BenchContext, Section } from "./section.ts";
import { warmUp } from "./warm-up.ts";
import { runWrk } from "./wrk.ts";

const CONNECTIONS = 256;
const LOAD_S = 10;
const FLAT_FLOOR = 0.8;
const FAN_OUT_FLOOR = 5_000;
const FAN_OUT_AIM = 15_000;
const FAN_OUT_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
const LIST_REQUESTS = 200;
const LIST_CONCURRENCY = 4;
/** The first page of every list route, with the rows that it chooses from; of short ones those that it shows. */
const LISTS: readonly (readonly [path: string, rows?: number])[] = [
	["/contacts?limit=100", STORED],
	[`/contacts?limit=100&tag=${WAVE}`, STORED],
	["/campaigns?limit=100"],
	["/usage?limit=100", STORED],
	["/sender-ids"],
	["/webhooks"],
	["/api-keys"],
	["/whatsapp/templates?limit=100"],
	["/whatsapp/conversations?limit=100", CONVERSATIONS],
	["/whatsapp/messages?limit=100", STORED],
];

/** What a full store costs: acceptance, a campaign's fan-out, and every list. */
export const largeSection: Section = async (context) => {
	const { bench, say } = context;
	await warmUp(context);
	const before = await acceptRate(context);
	say(`Storing ${STORED} contacts, messages and ledger entries.`);
	await fillStore(bench);
	const after = await acceptRate(context);
	return [
		{
			name: `accepted with ${stored(STORED)}, to without`,
			value: after / before,
			unit: "ratio",
			better: "higher",
			floor: FLAT_FLOOR,
		},
		await measureFanOut(context),
		...(await measureLists(context)),
	];
};

async function acceptRate({ bench, say }: BenchContext): Promise<number> {
	const { sendUrl: url, apiKey } = bench;
	const load = { url, apiKey, connections: CONNECTIONS };
	const { perSecond } = await runWrk({ ...load, seconds: LOAD_S });
	say(`  accepted ${Math.round(perSecond)}/s at ${CONNECTIONS} connections`);
	await bench.untilAtRest();
	return perSecond;
}

interface CampaignBody {
	readonly id: string;
	readonly stats: { readonly accepted: number };
}

async function measureFanOut(context: BenchContext): Promise<Figure> {
	const { bench, say } = context;
	say(`A campaign to ${WAVE_SIZE} of the contacts.`);
	const api = { baseUrl: bench.system.baseUrl, apiKey: bench.apiKey };
	const startedAt = performance.now();
	await callApi(api, "POST", "/campaigns", {
		name: "Fan-out",
		message_template: "Hello {{name|there}}, this goes to everybody.",
		audience_tags: [WAVE],
	});
	for (let accepted = 0; accepted < WAVE_SIZE; await delay(POLL_MS)) {
		const { body } = await callApi<{ campaigns: CampaignBody[] }>(
			api,
			"GET",
			"/campaigns?limit=1",
		);
		accepted = body.campaigns[0]?.stats.accepted ?? 0;
		if (performance.now() - startedAt > FAN_OUT_TIMEOUT_MS)
			throw new Error(`Of ${WAVE_SIZE} recipients ${accepted} were accepted.`);
	}
	const tookMs = performance.now() - startedAt;
	await bench.untilAtRest();
	return {
		name: "campaign recipients staged and accepted",
		value: WAVE_SIZE / (tookMs / 1_000),
		unit: "/s",
		better: "higher",
		floor: FAN_OUT_FLOOR,
		aim: FAN_OUT_AIM,
	};
}

async function measureLists(context: BenchContext): Promise<Figure[]> {
	context.say(`Storing ${STORED} WhatsApp messages.`);
	await fillWhatsapp(context.bench);
	context.say(`Lists, ${LIST_REQUESTS} requests each.`);
	const figures: Figure[] = [];
	for (const [path, rows] of LISTS) {
		const { shown } = await timedGet(context, path);
		const times = await timeRequests(context, path);
		figures.push(listFigure(path, rows ?? shown, times));
	}
	const walk = await walkPages(context, "/contacts?limit=100");
	figures.push(listFigure("/contacts, page by page", STORED, walk));
	return figures;
}

function stored(rows: number): string {
	return `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"} stored`;
}

function listFigure(
	name: string,
	rows: number,
	times: readonly number[],
): Figure {
	return {
		name: `GET ${name} p99, ${stored(rows)}`,
		value: percentile(times, 0.99),
		unit: "ms",
		better: "lower",
	};
}

async function timeRequests(
	context: BenchContext,
	path: string,
): Promise<number[]> {
	const times: number[] = [];
	let left = LIST_REQUESTS;
	const client = async () => {
		while (left-- > 0) times.push((await timedGet(context, path)).tookMs);
	};
	await Promise.all(Array.from({ length: LIST_CONCURRENCY }, client));
	return times;
}

async function walkPages(
	context: BenchContext,
	path: string,
): Promise<number[]> {
	const times: number[] = [];
	let cursor: string | null = "";
	while (cursor !== null && times.length < LIST_REQUESTS) {
		const at: string = cursor === "" ? path : `${path}&cursor=${cursor}`;
		const page: TimedPage = await timedGet(context, at);
		times.push(page.tookMs);
		cursor = page.nextCursor;
	}
	return times;
}

interface TimedPage {
	readonly tookMs: number;
	/** Rows on the page. */
	readonly shown: number;
	readonly nextCursor: string | null;
}

async function timedGet(
	{ bench }: BenchContext,
	path: string,
): Promise<TimedPage> {
	const api = { baseUrl: bench.system.baseUrl, apiKey: bench.apiKey };
	const startedAt = performance.now();
	const { body } = await callApi<Record<string, unknown>>(api, "GET", path);
	const tookMs = performance.now() - startedAt;
	const { nextCursor } = body as { nextCursor?: string | null };
	const shown = Object.values(body).find(Array.isArray)?.length ?? 0;
	return { tookMs, shown, nextCursor: nextCursor ?? null };
}
