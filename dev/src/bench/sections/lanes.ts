import { setTimeout as delay } from "node:timers/promises";
import type { Submit } from "@airtower/simulators/smsc/submit-log";
import { openLoadClient } from "../../load/client.ts";
import { runOpenLoop } from "../../load/open-loop.ts";
import { smsRequest } from "../../load/sms.ts";
import { type Bench, untilNone } from "../bench.ts";
import { type Figure, percentile } from "../figures.ts";
import { storeContacts } from "../store-rows.ts";
import { runWrk } from "../wrk.ts";
import { startCampaign, untilAccepted } from "./campaign.ts";

const RECIPIENTS = 100_000;
const TAG = "newsletter";
const ROUNDS = 3;
/** One-time passwords whose way is measured. */
const STREAM = { ratePerSecond: 40, seconds: 4 };
const CONNECTIONS = 32;
/** What was under way before is over by then. */
const SETTLE_MS = 1_000;
/** How long a flood gathers before it is let go. */
const GATHER_S = 4;
const TIMEOUT_MS = 60_000;

const NAME = "one-time password, 202 to submit, p95";
const CAMPAIGN = { name: "  a campaign of 100,000 adds", floor: 250, aim: 100 };
const FLOOD = { name: "  another's flood of them adds", floor: 100, aim: 25 };
/** The agreed part of three; between two it is 2 of 7. */
const SHARE = { name: "bulk's share under a flood of them", floor: 0.2 };

type Organization = Awaited<ReturnType<Bench["addOrganization"]>>;

/**
 * One organization's one-time passwords, alternately alone, beside another's campaign and beside a third's flood of
 * one-time passwords. What an organization sends while it is on hold is accepted, and waits.
 */
export async function measureLanes(bench: Bench): Promise<Figure[]> {
	const newsletter = await bench.addOrganization("Newsletter");
	const flood = await bench.addOrganization("Flood");
	await storeContacts(bench, newsletter.organizationId, TAG, RECIPIENTS);
	const alone: number[] = [];
	const besideCampaign: number[] = [];
	const besideFlood: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		alone.push(...(await seenAfter(bench, await sendPasswords(bench))));
		if (round === 0) {
			// In this round the campaign is still being accepted.
			await startCampaign(newsletter.target, TAG);
			await untilAccepted(newsletter.target, 1);
		} else await setHold(bench, newsletter, false);
		const withCampaign = await sendPasswords(bench);
		await setHold(bench, newsletter, true);
		besideCampaign.push(...(await seenAfter(bench, withCampaign)));
		if (round === 0) await untilAccepted(newsletter.target, RECIPIENTS);
		await gather(bench, flood);
		await setHold(bench, flood, false);
		const withFlood = await sendPasswords(bench);
		besideFlood.push(...(await seenAfter(bench, withFlood)));
		await untilSent(bench, flood);
	}
	const share = await measureBulkShare(bench, newsletter, flood);
	const p95 = percentile(alone, 0.95);
	const adds = (beside: readonly number[]) => percentile(beside, 0.95) - p95;
	return [
		{ name: NAME, value: p95, unit: "ms" },
		{ ...CAMPAIGN, value: adds(besideCampaign), unit: "ms" },
		{ ...FLOOD, value: adds(besideFlood), unit: "ms" },
		{ ...SHARE, value: share, unit: "ratio" },
	];
}

/** Messages that were accepted. */
interface Accepted {
	/** Submits that the operator had seen before. */
	readonly before: number;
	/** When the 202 came, by the text, Unix milliseconds. */
	readonly at: ReadonlyMap<string, number>;
}

/** Throws when one is refused. */
async function sendPasswords(bench: Bench): Promise<Accepted> {
	await delay(SETTLE_MS);
	const run = `otp${Date.now().toString(36)}`;
	const before = await countSubmits(bench);
	const client = openLoadClient(CONNECTIONS);
	const at = new Map<string, number>();
	await runOpenLoop(STREAM, async (number) => {
		const { path, body } = smsRequest(run, number);
		const request = { path, body: { ...body, priority: "otp" } };
		const { status, text } = await client.post(bench.target, request);
		if (status !== 202) throw new Error(`not accepted: ${status} ${text}`);
		at.set(`Your code is ${run}-${number}`, Date.now());
	});
	await client.close();
	return { before, at };
}

/** From each 202 until the operator saw the message, ms. Throws when it did not see one. */
async function seenAfter(
	bench: Bench,
	{ before, at: acceptedAt }: Accepted,
): Promise<number[]> {
	await untilSent(bench, bench);
	const delays = (await readSubmits(bench, before)).flatMap(({ at, text }) => {
		const since = acceptedAt.get(text);
		return since === undefined ? [] : [at - since];
	});
	if (delays.length === acceptedAt.size) return delays;
	throw new Error(
		`of ${acceptedAt.size} one-time passwords the operator saw ${delays.length}.`,
	);
}

/** Part of the campaign's in what goes to the operator while one-time passwords wait as well. */
async function measureBulkShare(
	bench: Bench,
	newsletter: Organization,
	flood: Organization,
): Promise<number> {
	await gather(bench, flood);
	const before = await countSubmits(bench);
	await setHold(bench, newsletter, false);
	await setHold(bench, flood, false);
	await untilSent(bench, flood);
	await setHold(bench, newsletter, true);
	const { organizationId } = newsletter;
	const { counts } = await bench.admin.countMessages({ organizationId });
	if ((counts.accepted ?? 0n) === 0n)
		throw new Error("the campaign was over before the flood.");
	const sources = (await readSubmits(bench, before)).map(
		({ source }) => source,
	);
	const both = sources.slice(
		sources.indexOf(flood.name),
		sources.lastIndexOf(flood.name),
	);
	return (
		both.filter((source) => source === newsletter.name).length / both.length
	);
}

/** Has one-time passwords of an organization accepted that wait until its hold ends. */
async function gather(bench: Bench, organization: Organization): Promise<void> {
	await setHold(bench, organization, true);
	await runWrk(organization.target, CONNECTIONS, GATHER_S, "otp");
}

async function setHold(
	{ admin }: Bench,
	{ organizationId }: Organization,
	held: boolean,
): Promise<void> {
	await admin.setHold({ organizationId, held });
}

/** Resolves when the operator has all messages of an organization. */
function untilSent(
	{ admin }: Bench,
	{ organizationId }: Pick<Organization, "organizationId">,
): Promise<void> {
	return untilNone("messages are not submitted", TIMEOUT_MS, async () => {
		const { counts } = await admin.countMessages({ organizationId });
		return Number((counts.accepted ?? 0n) + (counts.submitting ?? 0n));
	});
}

interface LogPage {
	readonly total: number;
	readonly next: number;
	readonly entries: readonly Submit[];
}

/** Counts all submits that the simulated operator has seen. */
async function countSubmits(bench: Bench): Promise<number> {
	return (await readPage(bench, Number.MAX_SAFE_INTEGER)).total;
}

/** The submits that the simulated operator has seen, in order, without the first so many. */
async function readSubmits(bench: Bench, skipped: number): Promise<Submit[]> {
	const submits: Submit[] = [];
	for (let from = skipped; ; ) {
		const { entries, next, total } = await readPage(bench, from);
		submits.push(...entries);
		if (next >= total) return submits;
		from = next;
	}
}

async function readPage({ system }: Bench, from: number): Promise<LogPage> {
	const response = await fetch(`${system.smsc?.controlUrl}/log?from=${from}`);
	return (await response.json()) as LogPage;
}
