import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type {
	PreviewResult,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import fc from "fast-check";
import { expect } from "vitest";
import { addOptOuts } from "../../src/opt-outs/add-opt-outs.ts";
import {
	type RuleInit,
	type RulesClient,
	removeAllRules,
	ruleFor,
	setRouteState,
	startRuleWorld,
} from "../rules/rule-world.ts";
import { insertSender, type MessageInit, messageTo } from "./messaging.ts";
import type { TestService } from "./service.ts";

/** Each message of a round is of another organization, so that one send does not change the next one's quota. */
const MESSAGES = 100;
const SEED = 33;

/** By route, in millionths of a euro; the route `first` has none. */
const MICROS: Readonly<Record<string, bigint>> = {
	second: 45_000n,
	third: 12_500n,
};
const SENDERS = [
	{ value: "Airtower", isDefault: true },
	{ value: "Shop" },
	{ value: "Pending", status: "pending" },
	{ value: "Barred", status: "suspended" },
] as const;
/** So many organizations have no sender. */
const WITHOUT_SENDERS = 10;
/** Every so manyth organization may send one-time passwords to who has opted out. */
const EXEMPTING = 3;

export interface PreviewWorld {
	readonly service: TestService;
	readonly rules: RulesClient;
	readonly organizations: readonly Organization[];
}

/** A process that accepts, with three routes of different cost, and organizations with senders in every state. */
export async function startPreviewWorld(): Promise<PreviewWorld> {
	const { service, rules } = await startRuleWorld("second", "third");
	for (const [code, micros] of Object.entries(MICROS)) {
		const settings = { cost: String(Number(micros) / 1e6), currency: "EUR" };
		await service.admin.setRoute({ code, settings });
	}
	const organizations: Organization[] = [];
	for (let nth = 0; nth < MESSAGES; nth++) {
		const id = uuidv7();
		const ids = new Map<string, string>();
		for (const sender of nth < MESSAGES - WITHOUT_SENDERS ? SENDERS : [])
			ids.set(sender.value, await insertSender(service.sql, id, sender));
		organizations.push({ id, shopId: ids.get("Shop") ?? uuidv7() });
		await service.sql`
			insert into opt_out_settings (organization_id, exempts_one_time_passwords)
			values (${id}, ${nth % EXEMPTING === 0})
		`;
	}
	return { service, rules, organizations };
}

/** One of the usual values, or now and then of the others. */
function mostly<T>(usual: readonly T[], rare: readonly T[]): fc.Arbitrary<T> {
	return fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...rare) },
	);
}

const NUMBERS = ["+33612345678", "33698765432", "+447911123456"];
const BAD_NUMBERS = ["+12025550123", "0612345678", "+3361", "nobody", ""];

const character = fc.constantFrom(..."aeE 1@€{^éŽ’—😀ж");
const body = fc.oneof(
	{ weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
	{ weight: 6, arbitrary: fc.string({ unit: character, maxLength: 400 }) },
	{
		weight: 4,
		arbitrary: fc
			.tuple(character, fc.integer({ min: 60, max: 1_700 }))
			.map(([character, length]) => character.repeat(length)),
	},
	{ weight: 1, arbitrary: fc.constantFrom("", "   ", "a\0") },
);
const message = fc.record({
	to: mostly(NUMBERS, BAD_NUMBERS),
	body,
	senderName: mostly(
		["", "Airtower", "Shop"],
		["Pending", "Barred", "Nobody", "?"],
	),
	sender: mostly(["", "", "", "shop"], ["unknown", "no id"]),
	clientReference: mostly(["", "order 7"], ["\0", "x".repeat(129)]),
	campaign: mostly(["", "", "new"], ["old", "no id"]),
	defaultCountry: fc.constantFrom("", "FR"),
	balance: mostly([1, 2, 5_000], [0]),
	standing: mostly(["known"], ["suspended", "unknown"]),
	messageClass: mostly([""], ["one_time_password"]),
	/** Senders from which the recipient wants no messages; the empty one stands for all. */
	optOuts: mostly<readonly string[]>(
		[[], [], ["Elsewhere"]],
		[[""], ["Airtower"], ["Shop"], ["Shop", ""]],
	),
});
type Case = typeof message extends fc.Arbitrary<infer C> ? C : never;

const rounds = fc.record({
	cases: fc.array(message, { minLength: MESSAGES, maxLength: MESSAGES }),
	rules: fc.constantFrom<RuleInit[]>(
		[],
		[ruleFor("second", { prefix: "+33" })],
		[ruleFor("second"), ruleFor("third", { weight: 3 })],
		[ruleFor("first"), ruleFor("third", { prefix: "+44" })],
		[ruleFor("second", { choose: "cost" }), ruleFor("third")],
	),
	state: fc.constantFrom("active", "active", "paused"),
});

interface Organization {
	readonly id: string;
	readonly shopId: string;
}

function toMessage(
	one: Case,
	{ id: organizationId, shopId }: Organization,
): MessageInit {
	const senderIds: Readonly<Record<string, string>> = {
		shop: shopId,
		unknown: uuidv7(),
		"no id": "x",
	};
	const campaignIds: Readonly<Record<string, string>> = {
		new: uuidv7(),
		old: "01600000-0000-7000-8000-000000000000",
		"no id": "x",
	};
	return {
		...messageTo(organizationId),
		to: one.to,
		body: one.body,
		senderName: one.senderName,
		senderId: senderIds[one.sender] ?? "",
		clientReference: one.clientReference,
		campaignId: campaignIds[one.campaign] ?? "",
		defaultCountry: one.defaultCountry,
		messageClass: one.messageClass,
	};
}

function setLedger(
	{ service, organizations }: PreviewWorld,
	cases: readonly Case[],
): void {
	const { balances, suspended } = service.ledger;
	suspended.clear();
	for (const [nth, { balance, standing }] of cases.entries()) {
		const id = organizations[nth]?.id ?? "";
		if (standing === "unknown") balances.delete(id);
		else balances.set(id, balance);
		if (standing === "suspended") suspended.add(id);
	}
}

/** Lists exactly what the cases say. */
async function setOptOuts(
	{ service, organizations }: PreviewWorld,
	cases: readonly Case[],
): Promise<void> {
	await service.sql`delete from opt_outs`;
	await transaction(service.sql, async (sql) => {
		for (const [nth, { to, defaultCountry, optOuts }] of cases.entries()) {
			const recipient = normalizePhoneNumber(to, defaultCountry);
			const { id } = organizations[nth] ?? neverLess();
			if (recipient === undefined || optOuts.length === 0) continue;
			const listed = optOuts.map((sender) => ({ recipient, sender }));
			await addOptOuts(sql, id, "api", listed);
		}
	});
}

/** What a client would see of a response, but for the message's id and one of several routes. */
export function shownOf(result: SendResult | undefined) {
	if (result?.result.case === "accepted")
		return { remaining: result.result.value.remainingQuota };
	const { reason, field, message } = result?.result.value ?? {};
	return { reason, field, message };
}

interface Stored {
	readonly recipient: string;
	readonly sender: string;
	readonly segments: number;
	readonly route: string;
}

async function storedOf(
	{ service }: PreviewWorld,
	results: readonly SendResult[],
) {
	const ids = results.flatMap(({ result }) =>
		result.case === "accepted" ? [result.value.messageId] : [],
	);
	const rows = await service.sql<(Stored & { id: string })[]>`
		select id, recipient, sender_value as sender, segments, route
		from messages
		where id = any(${ids}::uuid[])
	`;
	return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** How often each outcome was seen. Throws where a message was sent or refused otherwise than it was previewed. */
export async function comparePreviews(
	world: PreviewWorld,
	numRuns: number,
): Promise<ReadonlyMap<string, number>> {
	const seen = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(rounds, async ({ cases, rules, state }) => {
			setLedger(world, cases);
			await setOptOuts(world, cases);
			await setRouteState(world.service, "third", state);
			await removeAllRules(world.rules);
			for (const rule of rules) await world.rules.addRouteRule(rule);
			await world.rules.listRouteRules({});
			for (const outcome of await compareRound(world, cases))
				seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
		}),
		{ numRuns, seed: SEED, endOnFailure: true },
	);
	const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
	expect(total).toBe(numRuns * MESSAGES);
	return seen;
}

async function compareRound(
	world: PreviewWorld,
	cases: readonly Case[],
): Promise<string[]> {
	const { messaging } = world.service;
	const messages = world.organizations.map((organization, nth) =>
		toMessage(cases[nth] ?? neverLess(), organization),
	);
	const { results: previews } = await messaging.previewMessages({ messages });
	const { results } = await messaging.sendMessages({ messages });
	expect(previews.map(({ send }) => shownOf(send))).toEqual(
		results.map(shownOf),
	);
	const stored = await storedOf(world, results);
	return previews.map((preview, nth) => {
		const { result } = results[nth] ?? neverLess();
		if (result.case !== "accepted") return result.value?.reason ?? "unanswered";
		const row = stored.get(result.value.messageId) ?? neverLess();
		expect(preview.quotaBefore).toBe(result.value.remainingQuota + 1n);
		expectStored(preview, row);
		return result.case;
	});
}

function neverLess(): never {
	throw new Error("Fewer came back than were asked for.");
}

/** The route is one of those that share the message, and costs what was said of it. */
function expectStored(preview: PreviewResult, row: Stored): void {
	const { text, recipient, senderName: sender } = preview;
	const segments = text?.partUnits.length ?? 0;
	const route = preview.routes.find((one) => one.route === row.route);
	expect({ recipient, sender, segments, route: route?.route }).toEqual(row);
	expect(route?.segmentCostMicros).toBe(MICROS[row.route]);
}
