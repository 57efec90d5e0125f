import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { SendResult } from "@airtower/proto/messaging/v1/messaging";
import type { ExplainRouteResponse } from "@airtower/proto/messaging/v1/route_rules";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertSender, messageTo } from "../support/messaging.ts";
import type { TestService } from "../support/service.ts";
import {
	type RuleInit,
	type RulesClient,
	removeAllRules,
	ruleFor,
	setRouteState,
	startRuleWorld,
	storedRoutes,
} from "./rule-world.ts";

const TIMEOUT_MS = 900_000;
const FOR_NOW = "service_unavailable";
const RULE_SETS = 100;
const MESSAGES = 100;
const CODES = ["first", "second", "third", "fourth"];
const STATES = ["active", "active", "active", "paused", "draining"];
const SENDERS = ["Airtower", "Shop", "12345"];
const ORGANIZATIONS = [uuidv7(), uuidv7(), uuidv7()];
const NUMBERS = [
	"+33612345678",
	"+33698765432",
	"+33712345678",
	"+31612345678",
	"+447400123456",
	"+447911123456",
	"+4915123456789",
	"+12025550123",
	"+12125550199",
	"+819012345678",
];

const sender = fc.constantFrom(...SENDERS);
const organizationId = fc.constantFrom(...ORGANIZATIONS);
const number = fc.constantFrom(...NUMBERS);
const prefix = fc
	.tuple(number, fc.integer({ min: 1, max: 10 }))
	.map(([number, length]) => (length === 1 ? "" : number.slice(0, length)));

const ruleSet = fc.uniqueArray(
	fc.record({
		prefix,
		sender: fc.oneof(fc.constant(""), sender),
		organizationId: fc.oneof(fc.constant(""), organizationId),
		route: fc.constantFrom(...CODES),
		priority: fc.integer({ min: 1, max: 3 }),
		weight: fc.integer({ min: 1, max: 4 }),
	}),
	{
		maxLength: 8,
		selector: ({ prefix, sender, organizationId, route }) =>
			JSON.stringify([prefix, sender, organizationId, route]),
	},
);
const states = fc.tuple(...CODES.map(() => fc.constantFrom(...STATES)));
const messages = fc.array(
	fc.record({ to: number, senderName: sender, organizationId }),
	{ minLength: MESSAGES, maxLength: MESSAGES },
);

let service: TestService;
let rules: RulesClient;

beforeAll(async () => {
	({ service, rules } = await startRuleWorld(...CODES.slice(1)));
	for (const organization of ORGANIZATIONS) {
		service.ledger.balances.set(organization, 1_000_000);
		for (const value of SENDERS)
			await insertSender(service.sql, organization, { value });
	}
});

afterAll(() => service.close());

async function setStates(wanted: readonly string[]): Promise<void> {
	for (const [nth, code] of CODES.entries())
		await setRouteState(service, code, wanted[nth] ?? "active");
}

async function setRules(wanted: readonly RuleInit[]): Promise<number> {
	await removeAllRules(rules);
	for (const rule of wanted) await rules.addRouteRule(ruleFor("", rule));
	return (await rules.listRouteRules({})).version;
}

/** What became of a message: its route, or why it was refused. */
function outcomeOf({ result }: SendResult): string {
	return (
		(result.case === "accepted" ? result.value.route : result.value?.reason) ??
		"unanswered"
	);
}

function explainedAs({ route, refusal }: ExplainRouteResponse): string {
	const reason = refusal === "no_active_route" ? FOR_NOW : refusal;
	return route || reason;
}

test(
	"of 10,000 messages under 100 sets of rules, each is sent or refused as the explanation says",
	async () => {
		const seen = new Map<string, number>();
		await fc.assert(
			fc.asyncProperty(
				ruleSet,
				states,
				messages,
				async (set, states, batch) => {
					await setStates(states);
					const version = await setRules(set);
					const { results } = await service.messaging.sendMessages({
						messages: batch.map(({ organizationId, ...message }) =>
							messageTo(organizationId, message),
						),
					});
					const told = await Promise.all(
						batch.map(({ to, senderName: sender, organizationId }, nth) => {
							const result = results[nth]?.result;
							const messageId =
								result?.case === "accepted" ? result.value.messageId : "";
							return rules.explainRoute({
								to,
								sender,
								organizationId,
								messageId,
							});
						}),
					);
					const outcomes = results.map(outcomeOf);
					expect(told.map(explainedAs)).toEqual(outcomes);
					expect(new Set(told.map((one) => one.version))).toEqual(
						new Set([version]),
					);
					for (const one of outcomes) seen.set(one, (seen.get(one) ?? 0) + 1);
				},
			),
			{ numRuns: RULE_SETS, endOnFailure: true },
		);
		const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
		expect(total).toBe(RULE_SETS * MESSAGES);
		expect([...seen.keys()]).toEqual(
			expect.arrayContaining([...CODES, "no_route", FOR_NOW]),
		);
		for (const organization of ORGANIZATIONS)
			for (const { route, queuedOn } of await storedRoutes(
				service,
				organization,
			))
				expect(queuedOn).toBe(route);
	},
	TIMEOUT_MS,
);
