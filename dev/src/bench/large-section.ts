import { setTimeout as delay } from "node:timers/promises";
import { callApi } from "../demo/public-api.ts";
import type { Figure } from "./figures.ts";
import { fillStore, STORED, WAVE, WAVE_SIZE } from "./large-store.ts";
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
/** The first page of every list route. */
const LISTS = [
	"/contacts?limit=100",
	`/contacts?limit=100&tag=${WAVE}`,
	"/campaigns?limit=100",
	"/usage?limit=100",
	"/sender-ids",
	"/webhooks",
	"/api-keys",
	"/whatsapp/templates",
	"/whatsapp/conversations",
	"/whatsapp/messages",
];
const stored = `${STORED.toLocaleString("en-US")} rows stored`;

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
			name: `accepted with ${stored}, to without`,
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
	context.say(`Lists, ${LIST_REQUESTS} requests each.`);
	const figures: Figure[] = [];
	for (const path of LISTS)
		figures.push(listFigure(path, await timeRequests(context, path)));
	const walk = await walkPages(context, "/contacts?limit=100");
	figures.push(listFigure("/contacts, page by page", walk));
	return figures;
}

function listFigure(name: string, times: readonly number[]): Figure {
	return {
		name: `GET ${name} p99, ${stored}`,
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
	readonly nextCursor: string | null;
}

async function timedGet(
	{ bench }: BenchContext,
	path: string,
): Promise<TimedPage> {
	const api = { baseUrl: bench.system.baseUrl, apiKey: bench.apiKey };
	const startedAt = performance.now();
	const { body } = await callApi<{ nextCursor?: string | null }>(
		api,
		"GET",
		path,
	);
	return {
		tookMs: performance.now() - startedAt,
		nextCursor: body.nextCursor ?? null,
	};
}
