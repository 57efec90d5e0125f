import type { Organization } from "@airtower/proto/accounts/v1/admin";
import { type Command, CommandError } from "../command.ts";
import { type Output, type Row, record } from "../output.ts";
import { LIMIT, listPages } from "../pages.ts";
import { dateOf, organizationOf } from "../values.ts";

export const createOrganization: Command = {
	name: "organizations create",
	summary: "Creates an organization on trial with an empty balance",
	args: ["name"],
	options: {
		email: { value: "address", about: "contact address", required: true },
		plan: { value: "name", about: "plan (default: default)" },
		country: {
			value: "code",
			about: "country of national numbers, for example FR (default: none)",
		},
	},
	run: async (call) => {
		const { organization } = await call.clients.accounts.createOrganization({
			name: call.text("name"),
			email: call.text("email"),
			plan: call.option("plan") ?? "",
			defaultCountry: call.option("country") ?? "",
		});
		return show(organization);
	},
};

export const listOrganizations: Command = {
	name: "organizations list",
	summary: "Lists organizations, newest first",
	args: [],
	options: { limit: LIMIT },
	run: (call) =>
		listPages(
			call,
			async (page) => {
				const { accounts } = call.clients;
				const { organizations, next } = await accounts.listOrganizations({
					page,
				});
				return { items: organizations, next };
			},
			rowOf,
			"There are no organizations.",
		),
};

export const showOrganization: Command = {
	name: "organizations show",
	summary: "Shows an organization with its balance",
	args: ["organization"],
	run: async (call) => {
		const organizationId = await organizationOf(call);
		const { organization } = await call.clients.accounts.getOrganization({
			organizationId,
		});
		return show(organization);
	},
};

export const setState: Command = {
	name: "organizations state",
	summary:
		"Moves an organization to trial, active, past_due, suspended or closed; what was accepted before is still sent",
	args: ["organization", "state"],
	run: async (call) => {
		const { organization } = await call.clients.accounts.setOrganizationState({
			organizationId: await organizationOf(call),
			state: call.text("state"),
		});
		return show(organization);
	},
};

export const setPlan: Command = {
	name: "organizations plan",
	summary: "Moves an organization to another plan",
	args: ["organization", "plan"],
	run: async (call) => {
		const { organization } = await call.clients.accounts.setOrganizationPlan({
			organizationId: await organizationOf(call),
			plan: call.text("plan"),
		});
		return show(organization);
	},
};

function show(organization: Organization | undefined): Output {
	if (organization === undefined)
		throw new CommandError("The service answered without an organization.");
	return record(rowOf(organization));
}

function rowOf(organization: Organization): Row {
	return {
		id: organization.id,
		name: organization.name,
		email: organization.email,
		state: organization.state,
		plan: organization.plan,
		country: organization.defaultCountry,
		balance: organization.balance,
		created_at: dateOf(organization.createdAt),
	};
}
