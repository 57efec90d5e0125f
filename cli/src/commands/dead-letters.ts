import type { DeadLetter } from "@airtower/proto/ops/v1/dead_letters";
import { type AdminService, CONSUMERS } from "../access.ts";
import { type Call, type Command, UsageError } from "../command.ts";
import { type Row, record, rows } from "../output.ts";
import { dateOf, listOf, numberOf } from "../values.ts";

const SERVICES = CONSUMERS.join(" or ");

export const listDeadLetters: Command = {
	name: "dead-letters list",
	summary: `Lists the events that a service (${SERVICES}) could not apply`,
	args: ["service"],
	run: async (call) => {
		const service = serviceOf(call);
		const { deadLetters, more } = await call.clients
			.deadLettersOf(service)
			.listDeadLetters({});
		return rows(
			deadLetters.map(rowOf),
			`No event of ${service} is parked.`,
			more ? "There are more than these, the oldest of each group." : undefined,
		);
	},
};

export const redriveDeadLetters: Command = {
	name: "dead-letters redrive",
	summary:
		"Applies the parked events of a service's group again; fails when one of them fails",
	args: ["service", "group"],
	options: {
		ids: { value: "list", about: "ids with commas between (default: all)" },
	},
	run: async (call) => {
		const group = call.text("group");
		const ids = listOf(call, "ids").map((id) => BigInt(numberOf("--ids", id)));
		const { applied, failed } = await call.clients
			.deadLettersOf(serviceOf(call))
			.redriveDeadLetters({ group, ids });
		return { ...record({ group, applied, failed }), failed: failed > 0 };
	},
};

function serviceOf(call: Call): AdminService {
	const given = call.text("service");
	const service = CONSUMERS.find((name) => name === given);
	if (service !== undefined) return service;
	throw new UsageError(`<service> must be ${SERVICES}, not "${given}".`);
}

function rowOf(letter: DeadLetter): Row {
	return {
		id: letter.id,
		group: letter.group,
		type: letter.type,
		event_id: letter.eventId,
		organization_id: letter.organizationId,
		reason: letter.reason,
		detail: letter.detail,
		attempts: letter.attempts,
		parked_at: dateOf(letter.parkedAt),
	};
}
