import { randomUUID } from "node:crypto";
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

const DELIVERING = randomUUID();
const TIMEOUT_MS = 900_000;
const FOR_NOW = "service_unavailable";
const RULE_SETS = 100;
const MESSAGES = 100;
const CODES = ["first", "second", "third", "fourth"];
/** In EUR; the first route has none. */
const COSTS = [undefined, "0.02", "0.01", "0.02"];
const HEALTHS = ["up", "up", "trial", "down", null] as const;
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
		choose: fc.constantFrom("weight", "cost"),
	}),
	{
		maxLength: 8,
		selector: ({ prefix, sender, organizationId, route }) =>
			JSON.stringify([prefix, sender, organizationId, route]),
	},
);
const states = fc.tuple(...CODES.map(() => fc.constantFrom(...STATES)));
const healths = fc.tuple(...CODES.map(() => fc.constantFrom(...HEALTHS)));
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
	for (const [nth, code] of CODES.entries()) {
		const cost = COSTS[nth];
		if (cost === undefined) continue;
		const settings = { cost, currency: "EUR" };
		await service.admin.setRoute({ code, settings });
	}
	await service.sql`
		insert into leases (token, lease_until)
		values (${DELIVERING}, now() + interval '1 day')
	`;
});

afterAll(() => service.close());

/** As a process that delivers finds them; a route of which it has no opinion is up. */
async function setHealth(wanted: readonly (string | null)[]): Promise<void> {
	await service.sql`
		insert into route_connections (token, route, connections, connections_wanted, health)
		select ${DELIVERING}, route, 1, 1, health
		from unnest(${CODES}::text[], ${wanted}::text[]) as found (route, health)
		on conflict (token, route) do update
		set health = excluded.health
	`;
}

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

/** A route in trial takes a few messages that the explanation gives to others, and it says so. */
function explainedAs(
	{ route, refusal, leftOut }: ExplainRouteResponse,
	outcome: string | undefined,
): string | undefined {
	const isTrial = leftOut.some(
		(left) => left.route === outcome && left.reason === "trial",
	);
	if (isTrial) return outcome;
	return route || (refusal === "no_active_route" ? FOR_NOW : refusal);
}

test(
	"of 10,000 messages under 100 sets of rules and healths, each is sent or refused as the explanation says",
	async () => {
		const seen = new Map<string, number>();
		await fc.assert(
			fc.asyncProperty(
				ruleSet,
				states,
				healths,
				messages,
				async (set, states, healths, batch) => {
					await setHealth(healths);
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
					expect(
						told.map((one, nth) => explainedAs(one, outcomes[nth])),
					).toEqual(outcomes);
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
