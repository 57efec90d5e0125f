import { isDeepStrictEqual } from "node:util";
import type { CampaignForecast } from "@airtower/proto/campaigns/v1/campaigns";
import { expect } from "vitest";
import {
	type RuleInit,
	removeAllRules,
	ruleFor,
	setRouteState,
} from "../../services/messaging/test/rules/rule-world.ts";
import { type CampaignCase, generateCases, prepare } from "./campaign-cases.ts";
import {
	findOutcomes,
	findSums,
	foretold,
	foretoldSums,
	type Outcome,
	type Sums,
} from "./campaign-outcomes.ts";
import {
	type CampaignInit,
	type CampaignWorld,
	previewAndCreate,
	runToStandstill,
	topUp,
} from "./campaign-previews.ts";

/** Previewed and created together. */
const AT_ONCE = 20;
/** Turns without a change of a campaign of which there should be one. */
const PATIENCE = 3;

/** What is seen where enough campaigns are compared. */
export const EVERYTHING = [
	"audience_required",
	"delayed",
	"duplicate",
	"failed no_audience",
	"invalid_phone_number",
	"invalid_template",
	"message_too_long",
	"no_route",
	"paused organization_suspended",
	"paused quota_exhausted",
	"paused quota_share_used",
	"recipient_opted_out",
	"required",
	"sender_not_approved",
	"sending ",
	"unknown_organization",
	"unknown_sender",
];

/** Routes of the rules; by the shared ones a message's id decides between two of different cost. */
const RULES: readonly {
	readonly rules: readonly RuleInit[];
	readonly isShared?: boolean;
}[] = [
	{ rules: [], isShared: true },
	{ rules: [ruleFor("second", { prefix: "+33" })] },
	{ rules: [ruleFor("first"), ruleFor("third", { prefix: "+44" })] },
	{ rules: [ruleFor("second", { choose: "cost" }), ruleFor("third")] },
	{
		rules: [ruleFor("second"), ruleFor("third", { weight: 3 })],
		isShared: true,
	},
];

interface Setting {
	readonly rules: readonly RuleInit[];
	readonly isShared: boolean;
	/** Of the route `third`, until the campaigns have come to rest. */
	readonly isPaused: boolean;
}

const SETTINGS: readonly Setting[] = RULES.flatMap(
	({ rules, isShared = false }) =>
		[false, true].map((isPaused) => ({ rules, isShared, isPaused })),
);

type Count = (what: string, times?: number) => void;

/**
 * Compares so many campaigns, each of an organization of its own, with their previews: the same number under each of
 * the settings of the routes. Returns how often each refusal, status and reason to skip was seen. Throws where a
 * campaign became what its preview did not say, with the case and the seed that repeats it.
 */
export async function compareCampaigns(
	world: CampaignWorld,
	count: number,
	seed: number,
): Promise<ReadonlyMap<string, number>> {
	const seen = new Map<string, number>();
	const see: Count = (what, times = 1) =>
		seen.set(what, (seen.get(what) ?? 0) + times);
	const cases = generateCases(count, seed);
	const size = Math.ceil(count / SETTINGS.length);
	for (const [nth, setting] of SETTINGS.entries()) {
		const some = cases.slice(nth * size, (nth + 1) * size);
		await compareUnder(world, setting, some, seed, see);
	}
	return seen;
}

interface Created {
	/** Of its organization. */
	readonly id: string;
	readonly one: CampaignCase;
	readonly forecast: CampaignForecast;
	/** What a failure says of it. */
	readonly label: string;
}

async function compareUnder(
	world: CampaignWorld,
	setting: Setting,
	cases: readonly CampaignCase[],
	seed: number,
	see: Count,
): Promise<void> {
	await setRules(world, setting);
	const suitable = setting.isPaused ? cases.map(toWaiting) : cases;
	const campaigns = await prepare(world, suitable);
	const created: Created[] = [];
	const compareNext = async (one: CampaignCase, campaign: CampaignInit) => {
		const label = `seed ${seed}: ${JSON.stringify({ ...setting, ...one })}`;
		const compared = await previewAndCreate(world, campaign, label);
		const { refused, forecast } = compared;
		if (forecast === undefined) return see(refused);
		created.push({ id: campaign.organizationId, one, forecast, label });
	};
	const next = suitable
		.map((one, nth) => ({ one, campaign: campaigns[nth] }))
		.values();
	const work = async () => {
		for (const { one, campaign } of next)
			if (campaign !== undefined) await compareNext(one, campaign);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	await compareOutcomes(world, created, see);
	await compareSums(world, setting, created, see);
}

/**
 * A recipient that waits for a route keeps its unit of a share, which others may need; and before there is a route
 * nobody asks whether the organization is known.
 */
function toWaiting(one: CampaignCase): CampaignCase {
	const standing = one.standing === "unknown" ? "known" : one.standing;
	return { ...one, standing, share: undefined };
}

/** As far as the campaigns come by themselves. */
async function compareOutcomes(
	world: CampaignWorld,
	created: readonly Created[],
	see: Count,
): Promise<void> {
	await rest(world, created, 1);
	const outcomes = await findOutcomes(world, created.map(toId));
	const others = created.filter(
		(one) => !isDeepStrictEqual(...pairFor(one, outcomes)),
	);
	// A stall of the machine may have kept them from a turn.
	await rest(world, others, PATIENCE);
	const later = await findOutcomes(world, others.map(toId));
	for (const one of created) {
		const all = others.includes(one) ? later : outcomes;
		const [expected, outcome] = pairFor(one, all);
		expect(expected, one.label).toEqual(outcome);
		see(expected.status);
	}
}

function rest(
	world: CampaignWorld,
	created: readonly Created[],
	patience: number,
): Promise<void> {
	return runToStandstill(world, created.map(toId), patience);
}

const toId = ({ id }: Created) => id;

/** What the preview says and what became of the campaign. */
function pairFor(
	{ id, one, forecast, label }: Created,
	outcomes: ReadonlyMap<string, Outcome>,
): [Outcome, Outcome | undefined] {
	const balance = one.standing === "unknown" ? 0 : one.balance;
	const expected = foretold(forecast, balance, label);
	const outcome = outcomes.get(id);
	// Without a unit a campaign does not even ask for those that would be skipped.
	const isTie =
		outcome?.status === "paused quota_share_used" &&
		outcome.accepted === one.share &&
		!expected.status.startsWith("paused");
	return [isTie ? { ...expected, status: outcome.status } : expected, outcome];
}

/** Once everybody may be sent to. */
async function compareSums(
	world: CampaignWorld,
	{ isShared, isPaused }: Setting,
	created: readonly Created[],
	see: Count,
): Promise<void> {
	const ids = created.map(({ id }) => id);
	await setRouteState(world.service, "third", "active");
	await topUp(world, ids);
	await rest(world, created, PATIENCE);
	const sums = await findSums(world, ids);
	for (const { id, forecast, label } of created) {
		const became = sums.get(id);
		for (const [reason, times] of Object.entries(became?.skipped ?? {}))
			see(reason, times);
		if (became !== undefined && became.delayed > 0) see("delayed");
		const expected = foretoldSums(forecast);
		// Which of two routes a message takes, and what that costs, is decided when it is sent.
		const cost = isShared || isPaused ? became : expected;
		expect({ ...expected, ...pickCost(cost) }, label).toEqual(became);
	}
}

function pickCost(sums: Sums | undefined) {
	return {
		micros: sums?.micros,
		segmentsWithoutCost: sums?.segmentsWithoutCost,
	};
}

async function setRules(
	{ service, rules: client }: CampaignWorld,
	{ rules, isPaused }: Setting,
): Promise<void> {
	await setRouteState(service, "third", isPaused ? "paused" : "active");
	await removeAllRules(client);
	for (const rule of rules) await client.addRouteRule(rule);
	await client.listRouteRules({});
}
