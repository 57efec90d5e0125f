import type { Plan } from "@airtower/proto/accounts/v1/admin";
import type { Command } from "../command.ts";
import { type Row, toRow } from "../output.ts";
import { parseInteger } from "../values.ts";

/** The largest number that the RPC can carry; the service decides which numbers a plan may have. */
const MAX_INT32 = 2_147_483_647;

export const planCommands: readonly Command[] = [
	{
		line: "plans put <plan>",
		summary: "Creates a plan, or changes the one of that name",
		required: {
			"--requests-per-minute <number>":
				"requests that each API key may make in 60 s",
		},
		options: {
			"--organization-requests-per-minute <number>":
				"requests of all keys of an organization together (default: four times those of a key)",
		},
		run: async ({ clients, option, text }) => {
			const shared = option("organization-requests-per-minute");
			const { plan } = await clients.accounts().putPlan({
				name: text("plan"),
				requestsPerMinute: parseInteger(
					"--requests-per-minute",
					text("requests-per-minute"),
					MAX_INT32,
				),
				organizationRequestsPerMinute:
					shared === undefined
						? 0
						: parseInteger(
								"--organization-requests-per-minute",
								shared,
								MAX_INT32,
							),
			});
			return { content: show(plan) };
		},
	},
	{
		line: "plans list",
		summary: "Lists the plans",
		run: async ({ clients }) => {
			const { plans } = await clients.accounts().listPlans({});
			return { content: plans.map(show), whenEmpty: "There are no plans." };
		},
	},
];

function show(plan: Plan | undefined): Row {
	return toRow(
		plan,
		"name",
		"requestsPerMinute",
		"organizationRequestsPerMinute",
		"createdAt",
	);
}
