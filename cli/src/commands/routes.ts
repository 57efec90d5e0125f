import type {
	MessageOutcomes,
	OperatorRoute,
	PrefixTraffic,
	StoredRoute,
} from "@airtower/proto/messaging/v1/admin";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import { readSettings } from "../read-settings.ts";
import { smppStatusText } from "../smpp-status-text.ts";

const PASSWORD_FILE = "--password-file <path>";
const PASSWORD = "file with the password; - reads it from the input";
const SETTINGS_FILE = "--settings-file <path>";
const SETTINGS =
	"JSON file of settings by name, for the secrets of a route over HTTP and its description; - reads it from the input";
const SECRETS = { [PASSWORD_FILE]: PASSWORD, [SETTINGS_FILE]: SETTINGS };

export const routeCommands: readonly Command[] = [
	{
		line: "routes add <route> <address> [settings...]",
		summary:
			"Adds an operator route, like smpp://systemId@host:2775 window=20 or https://api.twilio.com preset=twilio",
		options: {
			...SECRETS,
			"--paused": "takes and sends nothing before routes resume",
		},
		run: async (call) => {
			const address = call.text("address");
			const isHttp = /^https?:/.test(address);
			if (!isHttp && call.option("password-file") === undefined)
				throw new UsageError("An SMPP route needs --password-file.");
			const { route } = await call.clients.messaging().addRoute({
				code: call.text("route"),
				kind: isHttp ? "http" : "smpp",
				settings: { address, ...(await readSettings(call)) },
				paused: call.option("paused") !== undefined,
			});
			return show(route);
		},
	},
	{
		line: "routes set <route> [settings...]",
		summary:
			"Changes settings of a route, like window=20; an empty one, like window=, has its default again",
		options: SECRETS,
		run: async (call) => {
			const settings = await readSettings(call);
			if (Object.keys(settings).length === 0)
				throw new UsageError(
					"Name at least one setting, for example window=20.",
				);
			const code = call.text("route");
			const messaging = call.clients.messaging();
			return show((await messaging.setRoute({ code, settings })).route);
		},
	},
	{
		line: "routes show <route>",
		summary:
			"Shows a route and its settings that are not the defaults, also a removed one",
		run: async (call) => {
			const code = call.text("route");
			return show((await call.clients.messaging().getRoute({ code })).route);
		},
	},
	{
		line: "routes list",
		summary:
			"Lists the operator routes with their states and what waits on each",
		run: async ({ clients }) => {
			const { routes } = await clients.messaging().listRoutes({});
			const found = routes.map((route) => ({
				...toRow(route, "code", "state", "account", "takesNewMessages"),
				...toRow(route, "health", "healthReason"),
				...toRow(route, "connections", "connectionsWanted", "lastError"),
				...toRow(route, "nextTryAt", "pausedUntil"),
				...toRow(route, "queued", "submitting", "unknown", "oldestDueAt"),
			}));
			const whenEmpty = "There are no routes.";
			return { content: found, whenEmpty, note: noteOn(routes) };
		},
	},
	{
		line: "routes traffic <route>",
		summary:
			"Shows whether receipts come, how many are outstanding by age, and by country " +
			"what was delivered since the beginning of the last full hour and in the week before",
		run: async (call) => {
			const code = call.text("route");
			const messaging = call.clients.messaging();
			const traffic = await messaging.getRouteTraffic({ code });
			const { receipts, outstanding, prefixes } = traffic;
			return {
				content: {
					route: code,
					receipts,
					outstanding: outstanding.map((one) => toRow(one, "age", "messages")),
					countries: prefixes.map(toCountry),
				},
			};
		},
	},
	{
		line: "routes test <route> [settings...]",
		summary:
			"Connects to the operator and tells what it says, also with settings that are only tried; fails when it refuses",
		options: SECRETS,
		run: testRoute,
	},
	{
		line: "routes pause <route>",
		summary:
			"Takes no new messages and sends none; stays connected for receipts",
		run: (call) => setState(call, "paused"),
	},
	{
		line: "routes resume <route>",
		summary: "Takes and sends messages again",
		run: (call) => setState(call, "active"),
	},
	{
		line: "routes drain <route>",
		summary: "Takes no new messages, and sends those that wait",
		run: (call) => setState(call, "draining"),
	},
	{
		line: "routes reconnect <route>",
		summary:
			"Tries a route's connections that are not up now, whatever they wait for",
		run: async (call) => {
			const code = call.text("route");
			const messaging = call.clients.messaging();
			const { processes } = await messaging.reconnectRoute({ code });
			return { content: { route: code, processes } };
		},
	},
	{
		line: "routes remove <route>",
		summary:
			"Removes a route that was drained; receipts that come later do not reach the system over it",
		run: (call) => setState(call, "removed"),
	},
];

function toCountry({ prefix, hour, week }: PrefixTraffic): Row {
	const lately = toCounts(hour);
	const before = toCounts(week);
	return {
		prefix,
		submitted: lately.submitted,
		delivered_percent: lately.deliveredPercent,
		outstanding: lately.outstanding,
		week_submitted: before.submitted,
		week_delivered_percent: before.deliveredPercent,
	};
}

function toCounts(outcomes: MessageOutcomes | undefined) {
	const submitted = Number(outcomes?.submitted ?? 0);
	const delivered = Number(outcomes?.delivered ?? 0);
	const failed = Number(outcomes?.failed ?? 0);
	return {
		submitted,
		deliveredPercent:
			submitted === 0
				? undefined
				: Math.round((delivered / submitted) * 1_000) / 10,
		outstanding: Math.max(0, submitted - delivered - failed),
	};
}

async function setState(call: Call, state: string): Promise<Output> {
	const code = call.text("route");
	const messaging = call.clients.messaging();
	return show((await messaging.setRouteState({ code, state })).route);
}

async function testRoute(call: Call): Promise<Output> {
	const code = call.text("route");
	const settings = await readSettings(call);
	const messaging = call.clients.messaging();
	const { passed, result } = await messaging.testRoute({ code, settings });
	const said = result.replaceAll(/0x[0-9A-F]+/g, (status) => {
		const text = smppStatusText(status);
		return text === undefined ? status : `${status} (${text})`;
	});
	return { content: { route: code, passed, result: said }, failed: !passed };
}

function show(route: StoredRoute | undefined): Output {
	const callsHere = route?.inboundUrl ? ["inboundUrl" as const] : [];
	const settings = Object.entries(route?.settings ?? {})
		.toSorted(([one], [other]) => (one < other ? -1 : 1))
		.map(([setting, value]) => ({ setting, value }));
	return {
		content: {
			...toRow(route, "code", "kind", "state", "version"),
			...toRow(route, "createdAt", "changedAt", ...callsHere),
			settings,
		},
	};
}

function noteOn(routes: readonly OperatorRoute[]): string | undefined {
	if (routes.some(({ account }) => account === ""))
		return (
			"A route without an account is not set up any more: " +
			"its messages wait until it is set up again, or expire."
		);
	if (routes.every(({ takesNewMessages }) => !takesNewMessages))
		return "No route is active: new messages are refused until one is.";
	if (routes.some(({ connectionsWanted }) => connectionsWanted === 0))
		return "A route that wants no connection has no process that delivers: its messages wait until one runs, or expire.";
	return undefined;
}
