import type { RouteRule } from "./route-table.ts";

/** What a new rule closes, in a sentence; empty when nothing. @param rules those of before */
export function describeAddition(
	rules: readonly RouteRule[],
	added: RouteRule,
): string {
	const messages = describeConditions(added);
	if (rules.length === 0 && isForAll(added))
		return "There were no rules: routes that no rule names take nothing new any more.";
	if (rules.length === 0)
		return (
			`There were no rules: only ${messages} have a route now, all others are refused as no_route. ` +
			"A rule without conditions opens the rest."
		);
	if (rules.some((rule) => hasSameConditions(rule, added))) return "";
	return rules.some((rule) => covers(rule, added))
		? `Only the new rule decides for ${messages}; the more general rules for them do not any more.`
		: "";
}

/** What the end of a rule opens or closes, in a sentence; empty when nothing. @param rules those that remain */
export function describeRemoval(
	rules: readonly RouteRule[],
	removed: RouteRule,
): string {
	const messages = describeConditions(removed);
	if (rules.length === 0)
		return "There are no rules any more: every active route takes any number.";
	if (rules.some((rule) => hasSameConditions(rule, removed))) return "";
	return rules.some((rule) => covers(rule, removed))
		? `More general rules decide for ${messages} now.`
		: `There is no rule for ${messages} any more: they are refused as no_route.`;
}

export function hasSameConditions(a: RouteRule, b: RouteRule): boolean {
	return (
		a.prefix === b.prefix &&
		a.sender === b.sender &&
		a.organizationId === b.organizationId
	);
}

/** True when every message that fulfils the conditions of the second fulfils those of the first. */
function covers(general: RouteRule, rule: RouteRule): boolean {
	return (
		rule.prefix.startsWith(general.prefix) &&
		[null, rule.sender].includes(general.sender) &&
		[null, rule.organizationId].includes(general.organizationId)
	);
}

function isForAll({ prefix, sender, organizationId }: RouteRule): boolean {
	return prefix === "" && sender === null && organizationId === null;
}

function describeConditions(rule: RouteRule): string {
	const { prefix, sender, organizationId } = rule;
	const conditions = [
		prefix === "" ? "messages to any number" : `messages to ${prefix}`,
		...(sender === null ? [] : [`from ${sender}`]),
		...(organizationId === null ? [] : [`of organization ${organizationId}`]),
	];
	return conditions.join(" ");
}
