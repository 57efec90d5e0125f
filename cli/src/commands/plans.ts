import type { Command } from "../command.ts";
import { toRow } from "../output.ts";
import { parseInteger } from "../values.ts";

/** What a request can carry; which of these a plan may have, the service says. */
const MAX_INT32 = 2_147_483_647;

export const planCommands: readonly Command[] = [
	{
		line: "plans put <plan>",
		summary: "Creates a plan, or changes the one of that name",
		required: {
			"--requests-per-minute <number>":
				"requests that each API key may make in 60 s",
		},
		run: async ({ clients, text }) => {
			const { plan } = await clients.accounts().putPlan({
				name: text("plan"),
				requestsPerMinute: parseInteger(
					"--requests-per-minute",
					text("requests-per-minute"),
					MAX_INT32,
				),
			});
			return { content: toRow(plan, "name", "requestsPerMinute", "createdAt") };
		},
	},
	{
		line: "plans list",
		summary: "Lists the plans",
		run: async ({ clients }) => {
			const { plans } = await clients.accounts().listPlans({});
			const found = plans.map((plan) =>
				toRow(plan, "name", "requestsPerMinute", "createdAt"),
			);
			return { content: found, whenEmpty: "There are no plans." };
		},
	},
];
