import type { InboundNumber } from "@airtower/proto/messaging/v1/inbound";
import type { Command } from "../command.ts";
import { type Row, toRow } from "../output.ts";
import { findOrganization } from "../values.ts";

const KEYWORD = { "--keyword <word>": "first word of the texts" };

export const inboundCommands: readonly Command[] = [
	{
		line: "inbound-numbers add <number> <organization>",
		summary:
			"Gives an organization the texts to a number; with a keyword those that begin with it, as of a shared number",
		options: KEYWORD,
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const { number } = await call.clients.inbound().addInboundNumber({
				organizationId,
				number: call.text("number"),
				keyword: call.option("keyword") ?? "",
			});
			return { content: show(number) };
		},
	},
	{
		line: "inbound-numbers list",
		summary: "Lists the numbers that receive texts, and who has them",
		run: async ({ clients }) => {
			const { numbers, more } = await clients.inbound().listInboundNumbers({});
			return {
				content: numbers.map(show),
				whenEmpty: "No number receives texts for an organization.",
				note: more ? "There are more than these." : undefined,
			};
		},
	},
	{
		line: "inbound-numbers remove <number>",
		summary:
			"Takes a number, or one of its keywords, from its organization; what it received stays",
		options: KEYWORD,
		run: async (call) => {
			const { number } = await call.clients.inbound().removeInboundNumber({
				number: call.text("number"),
				keyword: call.option("keyword") ?? "",
			});
			return { content: { ...show(number), status: "removed" } };
		},
	},
	{
		line: "inbound list",
		summary: "Lists the texts to numbers that no organization has",
		run: async ({ clients }) => {
			const { messages, more } = await clients.inbound().listUnownedInbound({});
			return {
				content: messages.map((text) => ({
					...toRow(text, "id", "receivedAt", "route", "from", "to"),
					...toRow(text, "parts", "isComplete", "encoding", "body"),
				})),
				whenEmpty: "No text came to a number that nobody has.",
				note: more ? "There are more than these." : undefined,
			};
		},
	},
];

function show(number: InboundNumber | undefined): Row {
	return toRow(number, "number", "keyword", "organizationId", "createdAt");
}
