import { transaction } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import fc from "fast-check";
import {
	insertOptOuts,
	type NewOptOut,
} from "../../services/messaging/src/store/opt-outs/opt-outs.ts";
import {
	type CampaignInit,
	type CampaignWorld,
	insertContacts,
} from "./campaign-previews.ts";
import { type Quiet, quietHoursOf } from "./quiet-windows.ts";

/** Of every organization. */
const SENDERS = [
	{ value: "Airtower", status: "approved", isDefault: true },
	{ value: "Shop", status: "approved", isDefault: false },
	{ value: "Pending", status: "pending", isDefault: false },
];

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

/** A campaign and the organization that makes it. */
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
	standing: fc.oneof(
		{ weight: 8, arbitrary: fc.constant("known") },
		{ weight: 2, arbitrary: fc.constantFrom("suspended", "unknown") },
	),
	quiet: fc.constantFrom<Quiet>(
		"nowhere",
		"nowhere",
		"everywhere",
		"in Europe",
		"in America",
	),
});
export type CampaignCase =
	typeof campaignCase extends fc.Arbitrary<infer C> ? C : never;

/** The same ones for the same seed. */
export function generateCases(count: number, seed: number): CampaignCase[] {
	return fc.sample(campaignCase, { numRuns: count, seed });
}

/** Makes an organization for each case; returns their campaigns in the order of the cases. */
export async function prepare(
	world: CampaignWorld,
	cases: readonly CampaignCase[],
): Promise<CampaignInit[]> {
	const owned = cases.map((one) => ({ ...one, organizationId: uuidv7() }));
	await insertOrganizations(world, owned);
	await insertContacts(
		world,
		owned.flatMap(({ organizationId, contacts }) =>
			contacts.map((contact, nth) => ({
				...contact,
				organizationId,
				phone: NUMBERS[nth] ?? "",
			})),
		),
	);
	const { balances, suspended } = world.service.ledger;
	for (const { organizationId, balance, standing } of owned) {
		if (standing !== "unknown") balances.set(organizationId, balance);
		if (standing === "suspended") suspended.add(organizationId);
	}
	return owned.map((one) => ({
		organizationId: one.organizationId,
		name: "Sale",
		messageTemplate: one.template,
		senderName: one.senderName,
		defaultCountry: one.defaultCountry,
		...toAudience(one.audience),
	}));
}

type OwnedCase = CampaignCase & { readonly organizationId: string };

async function insertOrganizations(
	{ service, sql }: CampaignWorld,
	cases: readonly OwnedCase[],
): Promise<void> {
	const senders = cases.flatMap(({ organizationId }) =>
		SENDERS.map((sender) => ({ ...sender, id: uuidv7(), organizationId })),
	);
	await service.sql`
		insert into sender_ids (id, organization_id, value, status, is_default)
		select *
		from ${unnest(service.sql, senders, { id: "uuid", organizationId: "uuid", value: "text", status: "text", isDefault: "boolean" })}
	`;
	const hours = cases.flatMap(({ organizationId, quiet }) => {
		const window = quietHoursOf(quiet, new Date());
		return window === undefined ? [] : [{ organizationId, ...window }];
	});
	await service.sql`
		insert into quiet_hours (organization_id, starts_at, ends_at)
		select *
		from ${unnest(service.sql, hours, { organizationId: "uuid", startsAt: "smallint", endsAt: "smallint" })}
	`;
	await transaction(service.sql, async (sql) => {
		for (const { organizationId, optOuts } of cases)
			await insertOptOuts(sql, organizationId, "api", toOptOuts(optOuts));
	});
	const shares = cases.filter(({ share }) => share !== undefined);
	await sql`
		insert into quota_shares (organization_id, units)
		select *
		from ${unnest(sql, shares, { organizationId: "uuid", share: "bigint" })}
	`;
}

function toAudience(audience: CampaignCase["audience"]) {
	return Array.isArray(audience)
		? { recipients: audience, audienceTagMatchMode: "all" }
		: {
				audienceTags: audience.tags,
				audienceTagMatchMode: audience.match,
			};
}

/** Each number and sender once. */
function toOptOuts(optOuts: CampaignCase["optOuts"]): NewOptOut[] {
	const distinct = new Map(optOuts.map((one) => [JSON.stringify(one), one]));
	return [...distinct.values()].map((one) => ({ ...one, id: uuidv7() }));
}
