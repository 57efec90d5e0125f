import fc from "fast-check";
import { expect, test } from "vitest";
import { ROUTE_HEALTHS, type RouteHealth } from "../route-health.ts";
import { chooseRoute, type RouteRequest } from "./choose-route.ts";
import { explainRoute } from "./explain-route.ts";
import {
	buildRouteTable,
	type RouteRule,
	type RouteStanding,
	RULE_CHOICES,
} from "./route-table.ts";

const ORGANIZATION = "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11";
const OTHER = "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a12";
const LOWEST = "0199b0a4-5f1c-7c3e-9b1a-000000000000";
const HIGHEST = "0199b0a4-5f1c-7c3e-9b1a-ffffffffffff";

const request: RouteRequest = {
	recipient: "+33612345678",
	sender: "Airtower",
	organizationId: ORGANIZATION,
};

function rule(route: string, conditions: Partial<RouteRule> = {}): RouteRule {
	const everything = { prefix: "", sender: null, organizationId: null };
	const decides = { priority: 1, weight: 1, choose: "weight" as const };
	return { ...everything, ...decides, route, ...conditions };
}

const standing = (
	code: string,
	more: Partial<RouteStanding> = {},
): RouteStanding => ({ code, state: "active", health: "up", ...more });

const active = (...codes: string[]) => codes.map((code) => standing(code));

function chosen(
	rules: readonly RouteRule[],
	routes = active("a", "b", "c"),
	messageId = LOWEST,
): string {
	const table = buildRouteTable(1, rules, routes);
	const choice = chooseRoute(table, request, messageId);
	return "route" in choice ? choice.route : choice.refusal;
}

test.each<[string, RouteRule[], string]>([
	[
		"the longest prefix goes before everything else",
		[
			rule("a", { prefix: "+3361" }),
			rule("b", { prefix: "+33", sender: "Airtower", organizationId: OTHER }),
			rule("c", { sender: "Airtower", organizationId: ORGANIZATION }),
		],
		"a",
	],
	[
		"of one prefix, a rule for the sender goes before one for the organization",
		[
			rule("a", { organizationId: ORGANIZATION }),
			rule("b", { sender: "Airtower" }),
			rule("c"),
		],
		"b",
	],
	[
		"a rule for the organization goes before one for everybody, whatever the priority",
		[
			rule("a", { organizationId: ORGANIZATION, priority: 100 }),
			rule("b", { organizationId: OTHER }),
			rule("c"),
		],
		"a",
	],
	[
		"a rule whose other conditions do not hold gives way to a shorter prefix",
		[rule("a", { prefix: "+336", sender: "Other" }), rule("b")],
		"b",
	],
	[
		"the first priority goes first",
		[rule("a", { priority: 2 }), rule("b")],
		"b",
	],
	["no rule for the number", [rule("a", { prefix: "+44" })], "no_route"],
])("%s", (_, rules, expected) => {
	expect(chosen(rules)).toBe(expected);
});

test("the next priority takes over while no route of the one before is active; a less specific rule does not", () => {
	const paused: RouteStanding = { code: "a", state: "paused", health: "up" };
	const draining: RouteStanding = {
		code: "b",
		state: "draining",
		health: "up",
	};
	const rules = [
		rule("a", { prefix: "+33" }),
		rule("b", { prefix: "+33" }),
		rule("c", { prefix: "+33", priority: 2 }),
		rule("d"),
	];
	const routes = [paused, draining, ...active("c", "d")];
	expect(chosen(rules, routes)).toBe("c");
	const all = [paused, draining, ...active("d")];
	expect(chosen(rules, all)).toBe("no_active_route");
});

test("without rules every active route takes any number; with none that is active it may be sent later", () => {
	expect(chosen([], active("a"))).toBe("a");
	expect(chosen([], [{ code: "a", state: "paused", health: "up" }])).toBe(
		"no_active_route",
	);
	expect(chosen([], [])).toBe("no_active_route");
});

test("routes of one priority share the messages by weight, and a message always takes the same", () => {
	const rules = [rule("a", { weight: 1 }), rule("b", { weight: 3 })];
	expect([LOWEST, HIGHEST].map((id) => chosen(rules, undefined, id))).toEqual([
		"a",
		"b",
	]);
	const eighths = Array.from({ length: 8 }, (_, nth) => {
		const end = (nth * 2 ** 29).toString(16).padStart(8, "0");
		return chosen(rules, undefined, LOWEST.slice(0, -8) + end);
	});
	expect(eighths).toEqual(["a", "a", "b", "b", "b", "b", "b", "b"]);
});

test("routes that are up go before those in trial, these before those that are down, whatever the priority", () => {
	const rules = [
		rule("a"),
		rule("b", { priority: 2 }),
		rule("c", { priority: 3 }),
	];
	const withHealth = (...healths: RouteHealth[]) =>
		healths.map((health, nth) => standing("abc".charAt(nth), { health }));
	expect(chosen(rules, withHealth("down", "trial", "up"))).toBe("c");
	expect(chosen(rules, withHealth("down", "trial", "trial"))).toBe("b");
	expect(chosen(rules, withHealth("down", "down", "down"))).toBe("a");
});

test("a route in trial gets a message that it would take were it up, if it may; one that is down gets none", () => {
	const rules = [rule("a", { weight: 1 }), rule("b", { weight: 3 })];
	const asked: string[] = [];
	const mayTry = (route: string) => asked.push(route) > 1;
	const choose = (health: RouteHealth, messageId: string) => {
		const routes = [standing("a", { health }), standing("b")];
		const table = buildRouteTable(1, rules, routes);
		return chooseRoute(table, request, messageId, { mayTry });
	};
	expect(choose("trial", HIGHEST)).toEqual({ route: "b" });
	expect(asked).toEqual([]);
	expect(choose("trial", LOWEST)).toEqual({ route: "b" });
	expect(choose("trial", LOWEST)).toEqual({ route: "a" });
	expect(choose("down", LOWEST)).toEqual({ route: "b" });
	expect(asked).toEqual(["a", "a"]);
});

test("by cost the cheapest route that is up takes all; one without a cost comes last, and currencies are not compared", () => {
	const rules = [rule("a", { choose: "cost" }), rule("b"), rule("c")];
	const priced = (amount: number | undefined, currency = "EUR") =>
		amount === undefined ? {} : { cost: { amount, currency } };
	const costing = (a?: number, b?: number, currency?: string) => [
		standing("a", priced(a)),
		standing("b", priced(b, currency)),
		standing("c"),
	];
	const both = (routes: RouteStanding[]) => [
		chosen(rules, routes, LOWEST),
		chosen(rules, routes, HIGHEST),
	];
	expect(both(costing(0.02, 0.01))).toEqual(["b", "b"]);
	expect(both(costing(0.02))).toEqual(["a", "a"]);
	expect(both(costing(0.01, 0.01))).toEqual(["a", "b"]);
	expect(both(costing(0.02, 0.01, "INR"))).toEqual(["a", "c"]);
	expect(both(costing())).toEqual(["a", "c"]);
	const ill = standing("b", { ...priced(0.01), health: "down" });
	const routes = [standing("a", priced(0.02)), ill, standing("c")];
	expect(both(routes)).toEqual(["a", "a"]);
});

test("the explanation names what decided, the shares, and why each other route was left out", () => {
	const table = buildRouteTable(
		7,
		[
			rule("a", { prefix: "+336", weight: 1 }),
			rule("b", { prefix: "+336", weight: 3 }),
			rule("c", { prefix: "+336" }),
			rule("d", { prefix: "+336", priority: 2 }),
			rule("e", { prefix: "+33", sender: "Airtower" }),
			rule("f", { prefix: "+336", sender: "Other" }),
			rule("g", { prefix: "+336", organizationId: OTHER }),
			rule("h", { prefix: "+44" }),
			rule("i", { prefix: "+336" }),
		],
		[
			...active("a", "b", "d", "e", "f", "g", "h", "z"),
			{ code: "c", state: "paused", health: "up" },
		],
	);
	const explained = explainRoute(table, request, HIGHEST);
	expect(explained.choice).toEqual({ route: "b" });
	expect(explained.candidates).toEqual([
		{ route: "a", share: 0.25 },
		{ route: "b", share: 0.75 },
	]);
	expect(explained.steps.map(({ text }) => text)).toEqual([
		"+336 is the longest prefix with a rule that applies.",
		"No rule of the prefix that applies names the sender.",
		"No rule of these that applies names the organization.",
		"Priority 1 is the first of which a route is active.",
		"a 1 of 4, b 3 of 4. The message's id decides for b.",
	]);
	expect(
		Object.fromEntries(
			explained.leftOut.map(({ route, reason }) => [route, reason]),
		),
	).toEqual({
		a: "other_share",
		c: "paused",
		d: "later_priority",
		e: "shorter_prefix",
		f: "other_sender",
		g: "other_organization",
		h: "no_rule",
		i: "removed",
		z: "no_rule",
	});
	expect(explainRoute(table, request, undefined).choice).toBeUndefined();
});

const CODES = ["a", "b", "c", "d"];
const digits = fc.integer({ min: 0, max: 3 }).map(String);
/** Few digits, so that prefixes and numbers meet. */
const number = fc
	.array(digits, { minLength: 3, maxLength: 6 })
	.map((all) => `+${all.join("")}`);
const sender = fc.constantFrom("Airtower", "Bank");
const organizationId = fc.constantFrom(ORGANIZATION, OTHER);
const rules = fc.uniqueArray(
	fc.record({
		prefix: fc.oneof(
			fc.constant(""),
			fc
				.array(digits, { minLength: 1, maxLength: 4 })
				.map((all) => `+${all.join("")}`),
		),
		sender: fc.option(sender),
		organizationId: fc.option(organizationId),
		route: fc.constantFrom(...CODES),
		priority: fc.integer({ min: 1, max: 3 }),
		weight: fc.integer({ min: 1, max: 5 }),
		choose: fc.constantFrom(...RULE_CHOICES, "weight" as const),
	}),
	{
		maxLength: 30,
		selector: ({ prefix, sender, organizationId, route }) =>
			JSON.stringify([prefix, sender, organizationId, route]),
	},
);
const routes = fc
	.tuple(
		...CODES.map((code) =>
			fc.record({
				code: fc.constant(code),
				state: fc.constantFrom<RouteStanding["state"]>(
					"active",
					"active",
					"paused",
					"draining",
				),
				health: fc.constantFrom("up" as const, ...ROUTE_HEALTHS),
				cost: fc.option(
					fc.record({
						amount: fc.integer({ min: 1, max: 3 }),
						currency: fc.constantFrom("EUR", "EUR", "EUR", "INR"),
					}),
					{ nil: undefined },
				),
			}),
		),
	)
	.chain((all) => fc.subarray(all));

/** The order of the rules as the README tells it, by looking at each rule. */
function chooseNaively(
	rules: readonly RouteRule[],
	routes: readonly RouteStanding[],
	message: RouteRequest,
	draw: number,
	without: ReadonlySet<string>,
): string {
	const standing = ({ route }: RouteRule) =>
		routes.find(({ code }) => code === route && !without.has(code));
	const isActive = (one: RouteRule) => standing(one)?.state === "active";
	const illness = (one: RouteRule) =>
		ROUTE_HEALTHS.indexOf(standing(one)?.health ?? "down");
	const all = rules.length > 0 ? rules : routes.map(({ code }) => rule(code));
	const rank = (one: RouteRule) =>
		one.prefix.length * 4 +
		(one.sender === null ? 0 : 2) +
		(one.organizationId === null ? 0 : 1);
	const applying = all.filter(
		(one) =>
			message.recipient.startsWith(one.prefix) &&
			[null, message.sender].includes(one.sender) &&
			[null, message.organizationId].includes(one.organizationId),
	);
	if (applying.length === 0)
		return rules.length > 0 ? "no_route" : "no_active_route";
	const best = Math.max(...applying.map(rank));
	const open = applying.filter((one) => rank(one) === best && isActive(one));
	if (open.length === 0) return "no_active_route";
	const least = Math.min(...open.map(illness));
	const healthy = open.filter((one) => illness(one) === least);
	const priority = Math.min(...healthy.map((one) => one.priority));
	const first = healthy.filter((one) => one.priority === priority);
	const costs = first.flatMap((one) => standing(one)?.cost ?? []);
	const isByCost =
		first.some(({ choose }) => choose === "cost") &&
		new Set(costs.map(({ currency }) => currency)).size === 1;
	const lowest = Math.min(...costs.map(({ amount }) => amount));
	const tickets = first
		.filter((one) => !isByCost || standing(one)?.cost?.amount === lowest)
		.toSorted((a, b) => (a.route < b.route ? -1 : 1))
		.flatMap(({ route, weight }) => Array<string>(weight).fill(route));
	return tickets[Math.floor(draw * tickets.length)] ?? "";
}

test("the choice is the one that looking at every rule makes, and the explanation agrees", () => {
	fc.assert(
		fc.property(
			rules,
			routes,
			fc.record({ recipient: number, sender, organizationId }),
			fc.nat(0xffffffff),
			fc.subarray(CODES),
			(rules, routes, message, drawn, refusing) => {
				const messageId =
					LOWEST.slice(0, -8) + drawn.toString(16).padStart(8, "0");
				const table = buildRouteTable(1, rules, routes);
				const choice = chooseRoute(table, message, messageId);
				const taken = "route" in choice ? choice.route : choice.refusal;
				const naively = (without: ReadonlySet<string>) =>
					chooseNaively(rules, routes, message, drawn / 2 ** 32, without);
				expect(taken).toBe(naively(new Set()));
				const without = new Set(refusing);
				const other = chooseRoute(table, message, messageId, { without });
				expect("route" in other ? other.route : other.refusal).toBe(
					naively(without),
				);
				const explained = explainRoute(table, message, messageId);
				expect(explained.choice).toEqual(choice);
				const told = explained.leftOut.map(({ route }) => route);
				const isToldOf = ({ code }: RouteStanding) =>
					code === taken || told.includes(code);
				expect(routes.every(isToldOf)).toBe(true);
				const tried = chooseRoute(table, message, messageId, {
					mayTry: () => true,
				});
				if ("route" in tried && tried.route !== taken)
					expect(explained.leftOut).toContainEqual(
						expect.objectContaining({ route: tried.route, reason: "trial" }),
					);
			},
		),
		{ numRuns: 2_000 },
	);
});

test("with 50 routes and 5,000 prefixes a choice looks at no more than the lengths of prefixes that there are", () => {
	const codes = Array.from({ length: 50 }, (_, nth) => `r${nth}`);
	const many = Array.from({ length: 5_000 }, (_, nth) =>
		rule(`r${nth % 50}`, { prefix: `+${10_000 + nth}` }),
	);
	const table = buildRouteTable(1, many, active(...codes));
	expect(table.prefixLengths).toEqual([6]);
	expect(table.groups.size).toBe(5_000);
	const message = { ...request, recipient: "+123456789" };
	expect(chooseRoute(table, message, LOWEST)).toEqual({ route: "r45" });
});
