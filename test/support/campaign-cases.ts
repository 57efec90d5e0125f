import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { CampaignForecast } from "@airtower/proto/campaigns/v1/campaigns";
import fc from "fast-check";
import { expect } from "vitest";
import { addOptOuts } from "../../services/messaging/src/opt-outs/add-opt-outs.ts";
import {
	type RuleInit,
	removeAllRules,
	ruleFor,
	setRouteState,
} from "../../services/messaging/test/rules/rule-world.ts";
import { insertSender } from "../../services/messaging/test/support/messaging.ts";
import {
	becameOf,
	becameSums,
	type CampaignInit,
	type CampaignWorld,
	foretold,
	foretoldSums,
	insertContacts,
	previewAndCreate,
	runToStandstill,
	topUp,
} from "./campaign-previews.ts";

/** Campaigns of a round, each of an organization of its own. */
const CAMPAIGNS = 20;
/** Previewed and created together. */
const AT_ONCE = 5;
const SEED = 33;

const SENDERS = [
	{ value: "Airtower", isDefault: true },
	{ value: "Shop" },
	{ value: "Pending", status: "pending" },
] as const;

/** One of the usual values, or now and then of the others. */
function mostly<T>(usual: readonly T[], rare: readonly T[]): fc.Arbitrary<T> {
	return fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...rare) },
	);
}

const NUMBERS = [
	"+33612345671",
	"+33612345672",
	"+33612345673",
	"+447911123451",
	"+447911123452",
	"+12025550123",
	// Of the form of a number, which contacts need; no country has it.
	"+33000000000",
];
const WRITTEN = [
	...NUMBERS,
	...NUMBERS,
	"33612345671",
	"06 12 34 56 71",
	"0033612345672",
	"nobody",
	"no\0body",
	"",
	"x".repeat(70),
	`${"x".repeat(63)}😀`,
];
const LONG_NAME = "x".repeat(200);
const NAMES = ["Ada", "Жанна", "😀", LONG_NAME];
const TEMPLATES = [
	"Hi {{name|you}}",
	"Hello {{ name }}, 5 € off",
	"Your code: 😀{{name}}",
	"y".repeat(161),
];
/** Of a text without a name, of one with too many characters beside a name, and of one with too many parts. */
const ODD_TEMPLATES = [
	"{{name}}",
	"{{name|x}}".repeat(9),
	`{{name}}${"ж".repeat(600)}`,
];
const REFUSED_TEMPLATES = ["{{first}}", "ж".repeat(671), " "];
const TAGS = ["gold", "new"];

const campaignCase = fc.record({
	template: fc.oneof(
		{ weight: 10, arbitrary: fc.constantFrom(...TEMPLATES) },
		{ weight: 4, arbitrary: fc.constantFrom(...ODD_TEMPLATES) },
		{ weight: 1, arbitrary: fc.constantFrom(...REFUSED_TEMPLATES) },
	),
	contacts: fc.array(
		fc.record({
			name: fc.constantFrom(...NAMES),
			tags: fc.subarray(TAGS),
		}),
		{ minLength: NUMBERS.length, maxLength: NUMBERS.length },
	),
	audience: fc.oneof(
		fc.array(fc.constantFrom(...WRITTEN), { maxLength: 16 }),
		fc.record({
			tags: fc.subarray([" Gold ", "new", "none"], { minLength: 1 }),
			match: fc.constantFrom("all", "any"),
		}),
	),
	defaultCountry: fc.constantFrom("", "FR"),
	senderName: mostly(["", "Airtower", "Shop"], ["Pending", "Nobody"]),
	optOuts: fc.array(
		fc.record({
			recipient: fc.constantFrom(...NUMBERS.slice(0, 5)),
			sender: fc.constantFrom("", "Airtower", "Shop"),
		}),
		{ maxLength: 3 },
	),
	balance: fc.constantFrom(0, 1, 2, 3, 5_000, 5_000, 5_000),
	share: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2, 9),
	standing: mostly(["known"], ["suspended", "unknown"]),
});
type CampaignCase =
	typeof campaignCase extends fc.Arbitrary<infer C> ? C : never;

/** Routes of the rules; by the last ones a message's id decides between two of different cost. */
const RULES: readonly (readonly RuleInit[])[] = [
	[],
	[ruleFor("second", { prefix: "+33" })],
	[ruleFor("first"), ruleFor("third", { prefix: "+44" })],
	[ruleFor("second", { choose: "cost" }), ruleFor("third")],
	[ruleFor("second"), ruleFor("third", { weight: 3 })],
];
const SHARED: readonly (readonly RuleInit[])[] = [
	RULES[0] ?? [],
	RULES[4] ?? [],
];

const rounds = fc.record({
	cases: fc.array(campaignCase, {
		minLength: CAMPAIGNS,
		maxLength: CAMPAIGNS,
	}),
	rules: fc.constantFrom(...RULES),
	state: fc.constantFrom("active", "active", "paused"),
});
type Round = typeof rounds extends fc.Arbitrary<infer R> ? R : never;

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

/** How often each refusal, status and reason to skip was seen. Throws where a campaign became what its preview did not say. */
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

/** An organization as the case has it, and its campaign. */
async function prepare(
	world: CampaignWorld,
	one: CampaignCase,
): Promise<CampaignInit> {
	const { service, sql } = world;
	const organizationId = uuidv7();
	for (const sender of SENDERS)
		await insertSender(service.sql, organizationId, sender);
	await transaction(service.sql, (sql) =>
		addOptOuts(sql, organizationId, "api", distinct(one.optOuts)),
	);
	await insertContacts(
		world,
		organizationId,
		one.contacts.map((contact, nth) => ({
			...contact,
			phone: NUMBERS[nth] ?? "",
		})),
	);
	if (one.share !== undefined)
		await sql`insert into quota_shares (organization_id, units) values (${organizationId}, ${one.share})`;
	const { balances, suspended } = service.ledger;
	if (one.standing !== "unknown") balances.set(organizationId, one.balance);
	if (one.standing === "suspended") suspended.add(organizationId);
	return {
		organizationId,
		name: "Sale",
		messageTemplate: one.template,
		senderName: one.senderName,
		defaultCountry: one.defaultCountry,
		...toAudience(one.audience),
	};
}

function toAudience(audience: CampaignCase["audience"]) {
	return Array.isArray(audience)
		? { recipients: audience, audienceTagMatchMode: "all" }
		: {
				audienceTags: audience.tags,
				audienceTagMatchMode: audience.match,
			};
}

function distinct<T>(list: readonly T[]): T[] {
	return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}
