import type { AdminTemplate } from "@airtower/proto/whatsapp/v1/admin";
import { type Call, type Command, CommandError } from "../command.ts";
import { type Output, type Row, record, rows } from "../output.ts";
import { dateOf, findOrganization } from "../values.ts";

export const syncTemplates: Command = {
	name: "templates sync",
	summary: "Reads an organization's templates from the provider now",
	args: ["organization"],
	run: async (call) => {
		const { id: organizationId } = await findOrganization(call);
		const { templates } = await call.clients.whatsapp.syncTemplates({
			organizationId,
		});
		return record({ organization_id: organizationId, templates });
	},
};

export const listTemplates: Command = {
	name: "templates list",
	summary: "Lists an organization's templates, disabled ones included",
	args: ["organization"],
	run: async (call) => {
		const templates = await templatesOf(
			call,
			(await findOrganization(call)).id,
		);
		return rows(templates.map(rowOf), "The organization has no templates.");
	},
};

export const disableTemplate: Command = {
	name: "templates disable",
	summary: "Keeps a template, given by its id or name, from being sent",
	args: ["organization", "template"],
	run: (call) => setDisabled(call, true),
};

export const enableTemplate: Command = {
	name: "templates enable",
	summary: "Lets a disabled template, given by its id or name, be sent again",
	args: ["organization", "template"],
	run: (call) => setDisabled(call, false),
};

async function templatesOf(
	{ clients }: Call,
	organizationId: string,
): Promise<AdminTemplate[]> {
	const { templates } = await clients.whatsapp.listAllTemplates({
		organizationId,
	});
	return templates;
}

async function setDisabled(call: Call, disabled: boolean): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const found = await findTemplate(call, organizationId);
	const templateId = found.template?.id ?? "";
	await call.clients.whatsapp.setTemplateDisabled({
		organizationId,
		templateId,
		disabled,
	});
	return record(rowOf(await findTemplate(call, organizationId)));
}

/** A name may stand for one template in each of several languages: then only an id will do. */
async function findTemplate(
	call: Call,
	organizationId: string,
): Promise<AdminTemplate> {
	const given = call.text("template");
	const templates = await templatesOf(call, organizationId);
	const [found, ...others] = templates.filter(
		({ template }) => template?.id === given || template?.name === given,
	);
	if (found === undefined)
		throw new CommandError(`The organization has no template "${given}".`);
	if (others.length > 0)
		throw new CommandError(
			`"${given}" exists in several languages; name one by the id that templates list shows.`,
		);
	return found;
}

function rowOf({ template, locallyDisabled }: AdminTemplate): Row {
	return {
		id: template?.id,
		name: template?.name,
		language: template?.language,
		category: template?.category,
		status: template?.status,
		parameters: template?.parameterCount,
		locally_disabled: locallyDisabled,
		updated_at: dateOf(template?.updatedAt),
	};
}
