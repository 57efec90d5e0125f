import type { Organization } from "@airtower/proto/accounts/v1/admin";
import type { Call, Command } from "../command.ts";
import { CommandError, UsageError } from "../errors.ts";
import { describeFailure } from "../failure.ts";
import { type Output, type Row, toRow } from "../output.ts";
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
			"what was accepted before is still sent, unless it is held",
		options: {
			"--hold":
				"with suspended or closed: what was accepted waits until the next state command, or expires",
		},
		run: setState,
	},
	{
		line: "organizations plan <organization> <plan>",
		summary: "Moves an organization to another plan",
		run: async (call) => {
			const organizationId = await organizationIdFrom(call);
			const request = { organizationId, plan: call.text("plan") };
			const accounts = call.clients.accounts();
			const { organization } = await accounts.setOrganizationPlan(request);
			return { content: show(organization) };
		},
	},
];

const HELD_STATES = ["suspended", "closed"];

async function setState(call: Call): Promise<Output> {
	const state = call.text("state");
	const held = call.option("hold") !== undefined;
	if (held && !HELD_STATES.includes(state))
		throw new UsageError("--hold goes with suspended or closed alone.");
	const organizationId = await organizationIdFrom(call);
	const { accounts, messaging, whatsapp } = call.clients;
	const request = { organizationId, state };
	const { organization } = await accounts().setOrganizationState(request);
	const hold = { organizationId, held };
	await Promise.all([
		messaging().setHold(hold),
		whatsapp().setHold(hold),
	]).catch((error: unknown) => {
		const { reason, message } = describeFailure(error);
		throw new CommandError(
			`The organization is ${state}, but what was accepted is not ${held ? "held" : "let go"} yet; ` +
				`repeat the command. ${message}`,
			reason,
		);
	});
	return { content: { ...show(organization), accepted_held: held } };
}

function show(organization: Organization | undefined): Row {
	return {
		...toRow(organization, "id", "name", "email", "state", "plan"),
		country: organization?.defaultCountry,
		...toRow(organization, "balance", "createdAt"),
	};
}
