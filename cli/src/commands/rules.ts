import type {
	ExplainRouteResponse,
	RouteRule,
} from "@airtower/proto/messaging/v1/route_rules";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import { organizationIdFrom, parseInteger } from "../values.ts";

export const ruleCommands: readonly Command[] = [
	{
		line: "rules add <route>",
		summary:
			"Lets messages that fulfil all conditions take a route; once there are rules, others have no route",
		options: {
			"--prefix <prefix>": "numbers that begin so, for example +33",
			"--sender <name>": "messages from this sender ID",
			"--organization <organization>": "messages of this organization",
			"--priority <n>":
				"1 to 100, 1 goes first (default); the next takes over while no route of those before is active and up",
			"--weight <n>":
				"share among routes of the same conditions and priority, 1 to 1000 (default 1)",
			"--choose <by>":
				"what decides between routes of this priority: weight (default) or cost, for the cheapest by their settings",
		},
		run: addRule,
	},
	{
		line: "rules list",
		summary: "Lists the rules by which routes are chosen, by prefix",
		options: {
			"--version <n>":
				"as they were in this version, as messages trace names it",
		},
		run: listRules,
	},
	{
		line: "rules remove <rule-id>",
		summary: "Removes a rule",
		run: async (call) => {
			const id = BigInt(parseRuleId(call.text("rule-id")));
			const { rule, version, opens } = await call.clients
				.rules()
				.removeRouteRule({ id });
			const content = { ...show(rule), status: "removed", version };
			return { content, note: opens || undefined };
		},
	},
	{
		line: "routes explain",
		summary:
			"Tells which route a message would take, what decides, and why each other route is left out",
		required: {
			"--to <number>": "the recipient, in international form",
			"--from <name>": "the sender ID",
		},
		options: {
			"--organization <organization>": "who sends",
			"--message <message-id>":
				"a message, whose id decides between routes of one priority",
		},
		run: explain,
	},
];

async function addRule(call: Call): Promise<Output> {
	const organization = call.option("organization");
	const { rule, version, closes } = await call.clients.rules().addRouteRule({
		route: call.text("route"),
		prefix: call.option("prefix") ?? "",
		sender: call.option("sender") ?? "",
		organizationId: await toOrganizationId(call, organization),
		priority: parseInteger("--priority", call.option("priority") ?? "1", 100),
		weight: parseInteger("--weight", call.option("weight") ?? "1", 1_000),
		choose: call.option("choose") ?? "weight",
	});
	return { content: { ...show(rule), version }, note: closes || undefined };
}

async function listRules(call: Call): Promise<Output> {
	const given = call.option("version");
	const { rules, version, madeAt } = await call.clients.rules().listRouteRules({
		version:
			given === undefined ? 0 : parseInteger("--version", given, 2 ** 31 - 1),
	});
	const isClosed = rules.length > 0 && !rules.some(isForAll);
	return {
		content: {
			version,
			...toRow({ madeAt }, "madeAt"),
			rules: rules.map(show),
		},
		note:
			rules.length === 0
				? "There are no rules: every active route takes any number."
				: isClosed
					? "Messages that no rule is for have no route: they are refused as no_route."
					: undefined,
	};
}

async function explain(call: Call): Promise<Output> {
	const organization = call.option("organization");
	const explained = await call.clients.rules().explainRoute({
		to: call.text("to"),
		sender: call.text("from"),
		organizationId: await toOrganizationId(call, organization),
		messageId: call.option("message") ?? "",
	});
	return {
		content: {
			...toRow(explained, "to", "route", "refusal"),
			rules_version: explained.version,
			steps: explained.steps.map((step) => toRow(step, "step", "text")),
			candidates: explained.candidates.map(({ route, share }) => ({
				route,
				share: `${Number((share * 100).toFixed(1))} %`,
			})),
			left_out: explained.leftOut.map((left) =>
				toRow(left, "route", "reason", "text"),
			),
		},
		note: noteOn(explained),
	};
}

function noteOn({ route, refusal }: ExplainRouteResponse): string | undefined {
	if (refusal === "no_route")
		return "Such a message is refused as no_route; rules add opens its number.";
	if (refusal !== "")
		return "Such a message is refused with 503 until a route for it is active.";
	if (route === "")
		return "Each message's id decides between the candidates; --message tells for one.";
	return undefined;
}

async function toOrganizationId(
	call: Call,
	given: string | undefined,
): Promise<string> {
	return given === undefined ? "" : organizationIdFrom(call, given);
}

function parseRuleId(text: string): number {
	const id = parseInteger("<rule-id>", text);
	if (id > 0) return id;
	throw new UsageError("<rule-id> must be one that rules list shows.");
}

function isForAll({ prefix, sender, organizationId }: RouteRule): boolean {
	return prefix === "" && sender === "" && organizationId === "";
}

function show(rule: RouteRule | undefined): Row {
	return {
		...toRow(rule, "id", "prefix", "sender", "organizationId", "route"),
		...toRow(rule, "priority", "weight", "choose", "sinceVersion"),
	};
}
