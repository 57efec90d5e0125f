import type { Plan } from "@airtower/proto/accounts/v1/admin";
import type { Command } from "../command.ts";
import { type Row, record, rows } from "../output.ts";
import { dateOf, numberOf } from "../values.ts";

/** What a request can carry; which of these a plan may have, the service says. */
const MAX_INT32 = 2_147_483_647;

export const putPlan: Command = {
	name: "plans put",
	summary: "Creates a plan, or changes the one of that name",
	args: ["plan"],
	options: {
		"requests-per-minute": {
			value: "number",
			about: "requests that each API key may make in 60 s",
			required: true,
		},
	},
	run: async (call) => {
		const requestsPerMinute = numberOf(
			"--requests-per-minute",
			call.text("requests-per-minute"),
			MAX_INT32,
		);
		const { plan } = await call.clients.accounts.putPlan({
			name: call.text("plan"),
			requestsPerMinute,
		});
		return record(plan === undefined ? {} : rowOf(plan));
	},
};

export const listPlans: Command = {
	name: "plans list",
	summary: "Lists the plans",
	args: [],
	run: async (call) => {
		const { plans } = await call.clients.accounts.listPlans({});
		return rows(plans.map(rowOf), "There are no plans.");
	},
};

function rowOf(plan: Plan): Row {
	return {
		name: plan.name,
		requests_per_minute: plan.requestsPerMinute,
		created_at: dateOf(plan.createdAt),
	};
}
