import type { CampaignForecast } from "@airtower/proto/campaigns/v1/campaigns";
import fc from "fast-check";
import { expect } from "vitest";
import {
	type RuleInit,
	removeAllRules,
	setRouteState,
} from "../../services/messaging/test/rules/rule-world.ts";
import {
	type CampaignCase,
	prepare,
	type Round,
	rounds,
	SHARED,
} from "./campaign-cases.ts";
import {
	becameOf,
	becameSums,
	foretold,
	foretoldSums,
} from "./campaign-outcomes.ts";
import {
	type CampaignWorld,
	previewAndCreate,
	runToStandstill,
	topUp,
} from "./campaign-previews.ts";

/** Previewed and created together. */
const AT_ONCE = 5;
const SEED = 33;

/** What is seen where enough campaigns are compared. */
export const EVERYTHING = [
	"audience_required",
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

/**
 * How often each refusal, status and reason to skip was seen. Throws where a campaign became what its preview did not
 * say.
 */
export async function compareCampaigns(
	world: CampaignWorld,
	numRuns: number,
): Promise<ReadonlyMap<string, number>> {
	const seen = new Map<string, number>();
	const count = (what: string, times = 1) =>
		seen.set(what, (seen.get(what) ?? 0) + times);
	await fc.assert(
		fc.asyncProperty(rounds, (round) => compareRound(world, round, count)),
		{ numRuns, seed: SEED, endOnFailure: true },
	);
	return seen;
}

interface Created {
	/** Of its organization. */
	readonly id: string;
	readonly one: CampaignCase;
	readonly forecast: CampaignForecast;
}

async function compareRound(
	world: CampaignWorld,
	{ cases, rules, state }: Round,
	count: (what: string, times?: number) => void,
): Promise<void> {
	await setRules(world, rules, state);
	const created: Created[] = [];
	for (let first = 0; first < cases.length; first += AT_ONCE) {
		const some = cases.slice(first, first + AT_ONCE);
		await Promise.all(
			some.map(async (one) => {
				// A recipient that waits for a route keeps its unit of a share, which others may need.
				const share = state === "paused" ? undefined : one.share;
				const campaign = await prepare(world, { ...one, share });
				const { refused, forecast } = await previewAndCreate(world, campaign);
				if (forecast === undefined) count(refused);
				else created.push({ id: campaign.organizationId, one, forecast });
			}),
		);
	}
	const ids = created.map(({ id }) => id);
	await runToStandstill(world, ids);
	for (const { id, one, forecast } of created) {
		const balance = one.standing === "unknown" ? 0 : one.balance;
		const [expected, outcome] = [
			foretold(forecast, balance),
			await becameOf(world, id),
		];
		// Without a unit a campaign does not even ask for those that would be skipped.
		const isShareUsed = outcome.status === "paused quota_share_used";
		const isTie = isShareUsed && !expected.status.startsWith("paused");
		if (isTie) expect(outcome.accepted).toBe(one.share);
		expect({ ...expected, ...(isTie && { status: outcome.status }) }).toEqual(
			outcome,
		);
		count(outcome.status);
	}
	await setRouteState(world.service, "third", "active");
	await topUp(world, ids);
	await runToStandstill(world, ids);
	const isShared = SHARED.includes(rules);
	for (const { id, forecast } of created) {
		const expected = foretoldSums(forecast);
		const sums = await becameSums(world, id);
		for (const [reason, times] of Object.entries(sums.skipped))
			count(reason, times);
		expect(expected.skipped).toEqual(sums.skipped);
		expect(expected.segments).toBe(sums.segments);
		if (state === "paused" || isShared) continue;
		expect(expected).toEqual(sums);
	}
}

async function setRules(
	{ service, rules: client }: CampaignWorld,
	rules: readonly RuleInit[],
	state: string,
): Promise<void> {
	await setRouteState(service, "third", state);
	await removeAllRules(client);
	for (const rule of rules) await client.addRouteRule(rule);
	await client.listRouteRules({});
}
