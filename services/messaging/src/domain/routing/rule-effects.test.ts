import { expect, test } from "vitest";
import type { RouteRule } from "./route-table.ts";
import { describeAddition, describeRemoval } from "./rule-effects.ts";

const all: RouteRule = {
	prefix: "",
	sender: null,
	organizationId: null,
	route: "a",
	priority: 1,
	weight: 1,
	choose: "weight",
};
const french = { ...all, prefix: "+33" };
const mobile = { ...all, prefix: "+336", sender: "Shop" };
const british = { ...all, prefix: "+44" };

test.each<[string, RouteRule[], RouteRule, string]>([
	[
		"the first rule closes all other numbers",
		[],
		french,
		"only messages to +33 have a route now",
	],
	[
		"a first rule for everything closes other routes",
		[],
		all,
		"routes that no rule names",
	],
	[
		"a longer prefix closes the shorter one's rules",
		[all],
		french,
		"Only the new rule decides for messages to +33;",
	],
	[
		"a rule with the same conditions closes nothing",
		[french],
		{ ...french, route: "b" },
		"",
	],
	["a rule for a number without one closes nothing", [french], british, ""],
	[
		"a sender's rule leaves other senders theirs",
		[french],
		mobile,
		"messages to +336 from Shop;",
	],
])("adding: %s", (_, rules, rule, text) => {
	const told = describeAddition(rules, rule);
	if (text === "") expect(told).toBe("");
	else expect(told).toContain(text);
});

test.each<[string, RouteRule[], RouteRule, string]>([
	[
		"the last rule opens everything",
		[],
		french,
		"every active route takes any number",
	],
	[
		"a number without another rule is closed",
		[french],
		british,
		"no rule for messages to +44 any more",
	],
	[
		"more general rules decide again",
		[all],
		french,
		"More general rules decide for messages to +33 now.",
	],
	[
		"with another of the same conditions nothing changes",
		[{ ...french, route: "b" }],
		french,
		"",
	],
])("removing: %s", (_, rules, rule, text) => {
	const told = describeRemoval(rules, rule);
	if (text === "") expect(told).toBe("");
	else expect(told).toContain(text);
});
