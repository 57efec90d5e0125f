import { type AdminService, CONSUMERS } from "../access.ts";
import type { Call, Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { toRow } from "../output.ts";
import { parseInteger, parseList } from "../values.ts";

const SERVICES = CONSUMERS.join(" or ");

export const deadLetterCommands: readonly Command[] = [
	{
		line: "dead-letters list <service>",
		summary: `Lists the events that a service (${SERVICES}) could not apply`,
		run: async (call) => {
			const service = parseService(call);
			const client = call.clients.deadLettersOf(service);
			const { deadLetters, more } = await client.listDeadLetters({});
			const found = deadLetters.map((letter) => ({
				...toRow(letter, "id", "group", "type", "eventId", "organizationId"),
				...toRow(letter, "reason", "detail", "attempts", "parkedAt"),
			}));
			const note = "There are more than these, the oldest of each group.";
			const whenEmpty = `No event of ${service} is parked.`;
			return { content: found, whenEmpty, note: more ? note : undefined };
		},
	},
	{
		line: "dead-letters redrive <service> <group>",
		summary:
			"Applies the parked events of a service's group again; fails when one of them fails",
		options: { "--ids <list>": "ids with commas between (default: all)" },
		run: async (call) => {
			const group = call.text("group");
			const ids = parseIds(call);
			const client = call.clients.deadLettersOf(parseService(call));
			const { applied, failed } = await client.redriveDeadLetters({
				group,
				ids,
			});
			return { content: { group, applied, failed }, failed: failed > 0 };
		},
	},
	{
		line: "dead-letters discard <service> <group>",
		summary:
			"Deletes parked events of a service's group that will never be applied; what they told is lost",
		required: { "--ids <list>": "ids with commas between" },
		run: async (call) => {
			const group = call.text("group");
			const ids = parseIds(call);
			const client = call.clients.deadLettersOf(parseService(call));
			const { discarded } = await client.discardDeadLetters({ group, ids });
			return { content: { group, discarded } };
		},
	},
];

function parseIds(call: Call): bigint[] {
	return parseList(call, "ids").map((id) => BigInt(parseInteger("--ids", id)));
}

function parseService(call: Call): AdminService {
	const given = call.text("service");
	const service = CONSUMERS.find((name) => name === given);
	if (service !== undefined) return service;
	throw new UsageError(`<service> must be ${SERVICES}, not "${given}".`);
}
