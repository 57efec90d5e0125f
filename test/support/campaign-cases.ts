import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import fc from "fast-check";
import { addOptOuts } from "../../services/messaging/src/opt-outs/add-opt-outs.ts";
import {
	type RuleInit,
	ruleFor,
} from "../../services/messaging/test/rules/rule-world.ts";
import { insertSender } from "../../services/messaging/test/support/messaging.ts";
import {
	type CampaignInit,
	type CampaignWorld,
	insertContacts,
} from "./campaign-previews.ts";

/** Campaigns of a round, each of an organization of its own. */
const CAMPAIGNS = 20;

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
export type CampaignCase =
	typeof campaignCase extends fc.Arbitrary<infer C> ? C : never;

/** Routes of the rules; by the last ones a message's id decides between two of different cost. */
const RULES: readonly (readonly RuleInit[])[] = [
	[],
	[ruleFor("second", { prefix: "+33" })],
	[ruleFor("first"), ruleFor("third", { prefix: "+44" })],
	[ruleFor("second", { choose: "cost" }), ruleFor("third")],
	[ruleFor("second"), ruleFor("third", { weight: 3 })],
];
/** The rules by which several routes share messages. */
export const SHARED: readonly (readonly RuleInit[])[] = [
	RULES[0] ?? [],
	RULES[4] ?? [],
];

export const rounds = fc.record({
	cases: fc.array(campaignCase, {
		minLength: CAMPAIGNS,
		maxLength: CAMPAIGNS,
	}),
	rules: fc.constantFrom(...RULES),
	state: fc.constantFrom("active", "active", "paused"),
});
export type Round = typeof rounds extends fc.Arbitrary<infer R> ? R : never;

/** Makes an organization as the case has it; returns its campaign. */
export async function prepare(
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
