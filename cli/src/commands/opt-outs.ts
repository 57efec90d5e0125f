import type {
	OptOut,
	OptOutSettings,
} from "@airtower/proto/messaging/v1/opt_outs";
import type { Call, Command } from "../command.ts";
import { CommandError, UsageError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import {
	organizationIdFrom,
	parseList,
	parseUuid,
	parseWord,
} from "../values.ts";

const FAMILIES = ["stop", "start", "help"] as const;
const TEXT = "empty for none, default for the built-in text";

export const optOutCommands: readonly Command[] = [
	{
		line: "opt-outs list <organization>",
		summary:
			"Lists the newest 200 numbers that an organization sends no SMS to",
		options: { "--to <number>": "only this number, in international form" },
		run: listOptOuts,
	},
	{
		line: "opt-outs add <organization> <number>",
		summary: "Lists a number, whose owner has asked for it, as opted out",
		options: {
			"--sender <name>": "of this sender's messages alone; without it of all",
		},
		run: addOptOut,
	},
	{
		line: "opt-outs remove <organization> <opt-out-id>",
		summary: "Removes an opt-out: the number may be sent to again",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const optOutId = parseUuid(call, "opt-out-id");
			await call.clients.optOuts().removeOptOut({ organizationId, optOutId });
			return { content: { id: optOutId, status: "removed" } };
		},
	},
	{
		line: "opt-outs settings <organization>",
		summary:
			"Shows what STOP ends for an organization and what is responded to words",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const { settings } = await call.clients
				.optOutSettings()
				.getOptOutSettings({ organizationId });
			return { content: show(settings) };
		},
	},
	{
		line: "opt-outs set <organization>",
		summary: "Changes those settings; what is left out stays",
		options: {
			"--scope <scope>":
				"what STOP ends: sender, messages of the number that it was sent to, or organization, all of them",
			"--stop-text <text>": `response to STOP: ${TEXT}`,
			"--start-text <text>": `response to START: ${TEXT}`,
			"--help-text <text>": `response to HELP: ${TEXT}`,
			"--one-time-passwords <which>":
				"exempt: the class one_time_password goes to numbers that have opted out; refuse: it does not",
		},
		run: setSettings,
	},
	{
		line: "opt-outs words",
		summary: "Lists the words that count as STOP, START and HELP",
		options: {
			"--country <country>": "those that count there, for example FR",
		},
		run: async (call) => {
			const { lists } = await call.clients
				.optOutSettings()
				.listOptOutWords({ country: call.option("country") ?? "" });
			return {
				content: lists.map((list) => ({
					...toRow(list, "country", "family", "isSet"),
					words: list.words.join(", "),
				})),
			};
		},
	},
	{
		line: "opt-outs set-words <country> <family>",
		summary:
			"Sets the words of a country (* for all) and family (stop, start or help) in place of the built-in ones",
		options: {
			"--words <list>": "all of them, with commas between",
			"--built-in": "gives the list back its built-in words",
		},
		run: setWords,
	},
];

async function listOptOuts(call: Call): Promise<Output> {
	const organizationId = await organizationIdFrom(call);
	const { optOuts, next } = await call.clients.optOuts().listOptOuts({
		organizationId,
		recipient: call.option("to") ?? "",
		page: { limit: 200 },
	});
	return {
		content: optOuts.map(showOptOut),
		whenEmpty: "No number has opted out.",
		note: next === undefined ? undefined : "There are older ones.",
	};
}

async function addOptOut(call: Call): Promise<Output> {
	const organizationId = await organizationIdFrom(call);
	const recipient = call.text("number");
	const sender = call.option("sender") ?? "";
	const { optOut } = await call.clients.optOuts().addOptOuts({
		organizationId,
		optOuts: [{ recipient, sender }],
		source: "api",
	});
	if (optOut !== undefined) return { content: showOptOut(optOut) };
	throw new CommandError(
		"The number must be valid and in international form, and the sender one that a sender ID may be.",
	);
}

async function setSettings(call: Call): Promise<Output> {
	const organizationId = await organizationIdFrom(call);
	const [scope, passwords] = [
		call.option("scope"),
		call.option("one-time-passwords"),
	];
	if (scope !== undefined)
		parseWord("--scope", scope, ["sender", "organization"]);
	if (passwords !== undefined)
		parseWord("--one-time-passwords", passwords, ["exempt", "refuse"]);
	const texts = {
		stopText: call.option("stop-text"),
		startText: call.option("start-text"),
		helpText: call.option("help-text"),
	};
	const given = Object.entries({ scope, ...texts }).filter(
		([, value]) => value !== undefined,
	);
	const { settings } = await call.clients.optOutSettings().setOptOutSettings({
		organizationId,
		...Object.fromEntries(given),
		...(passwords !== undefined && {
			exemptsOneTimePasswords: passwords === "exempt",
		}),
	});
	return { content: show(settings) };
}

async function setWords(call: Call): Promise<Output> {
	const useBuiltIn = call.option("built-in") !== undefined;
	const words = parseList(call, "words");
	if (useBuiltIn === words.length > 0)
		throw new UsageError("Give either --words or --built-in.");
	const { list } = await call.clients.optOutSettings().setOptOutWords({
		country: call.text("country"),
		family: parseWord("<family>", call.text("family"), FAMILIES),
		words,
		useBuiltIn,
	});
	if (list === undefined) throw new CommandError("The response names no list.");
	return {
		content: {
			...toRow(list, "country", "family", "isSet"),
			words: list.words.join(", "),
		},
	};
}

function show(settings: OptOutSettings | undefined): Row {
	return toRow(
		settings,
		"scope",
		"stopText",
		"startText",
		"helpText",
		"exemptsOneTimePasswords",
	);
}

function showOptOut(optOut: OptOut): Row {
	return toRow(optOut, "id", "recipient", "sender", "source", "createdAt");
}
