import type { Organization } from "@airtower/proto/accounts/v1/admin";
import type { Command } from "../command.ts";
import { type Row, toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { findOrganization, organizationIdFrom } from "../values.ts";

export const organizationCommands: readonly Command[] = [
	{
		line: "organizations create <name>",
		summary: "Creates an organization on trial with an empty balance",
		required: { "--email <address>": "contact address" },
		options: {
			"--plan <name>": "plan (default: default)",
			"--country <code>":
				"country of national numbers, for example FR (default: none)",
		},
		run: async ({ clients, text, option }) => {
			const { organization } = await clients.accounts().createOrganization({
				name: text("name"),
				email: text("email"),
				plan: option("plan") ?? "",
				defaultCountry: option("country") ?? "",
			});
			return { content: show(organization) };
		},
	},
	listCommand({
		line: "organizations list",
		summary: "Lists organizations, newest first",
		read: async ({ clients }, page) => {
			const response = await clients.accounts().listOrganizations({ page });
			return { items: response.organizations, next: response.next };
		},
		toRow: show,
		whenEmpty: "There are no organizations.",
	}),
	{
		line: "organizations show <organization>",
		summary: "Shows an organization with its balance",
		run: async (call) => {
			return { content: show(await findOrganization(call)) };
		},
	},
	{
		line: "organizations state <organization> <state>",
		summary:
			"Moves an organization to trial, active, past_due, suspended or closed; " +
			"what was accepted before is still sent",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const order = { organizationId, state: call.text("state") };
			const accounts = call.clients.accounts();
			const { organization } = await accounts.setOrganizationState(order);
			return { content: show(organization) };
		},
	},
	{
		line: "organizations plan <organization> <plan>",
		summary: "Moves an organization to another plan",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const order = { organizationId, plan: call.text("plan") };
			const accounts = call.clients.accounts();
			const { organization } = await accounts.setOrganizationPlan(order);
			return { content: show(organization) };
		},
	},
];

function show(organization: Organization | undefined): Row {
	return {
		...toRow(organization, "id", "name", "email", "state", "plan"),
		country: organization?.defaultCountry,
		...toRow(organization, "balance", "createdAt"),
	};
}
