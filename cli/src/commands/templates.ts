import type { AdminTemplate } from "@airtower/proto/whatsapp/v1/admin";
import type { Call, Command } from "../command.ts";
import { CommandError } from "../errors.ts";
import { type Output, type Row, toRow } from "../output.ts";
import { findOrganization } from "../values.ts";

export const templateCommands: readonly Command[] = [
	{
		line: "templates sync <organization>",
		summary: "Reads an organization's templates from the provider now",
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const whatsapp = call.clients.whatsapp();
			const { templates } = await whatsapp.syncTemplates({ organizationId });
			return { content: { organization_id: organizationId, templates } };
		},
	},
	{
		line: "templates list <organization>",
		summary: "Lists an organization's templates, disabled ones included",
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const whatsapp = call.clients.whatsapp();
			const { templates } = await whatsapp.listAllTemplates({ organizationId });
			const whenEmpty = "The organization has no templates.";
			return { content: templates.map(show), whenEmpty };
		},
	},
	{
		line: "templates disable <organization> <template>",
		summary: "Keeps a template, given by its id or name, from being sent",
		run: (call) => setDisabled(call, true),
	},
	{
		line: "templates enable <organization> <template>",
		summary: "Lets a disabled template, given by its id or name, be sent again",
		run: (call) => setDisabled(call, false),
	},
];

async function setDisabled(call: Call, disabled: boolean): Promise<Output> {
	const { id: organizationId } = await findOrganization(call);
	const { template } = await findTemplate(call, organizationId);
	await call.clients.whatsapp().setTemplateDisabled({
		organizationId,
		templateId: template?.id ?? "",
		disabled,
	});
	return { content: show(await findTemplate(call, organizationId)) };
}

/** A name may stand for one template in each of several languages: then only an id will do. */
async function findTemplate(
	{ clients, text }: Call,
	organizationId: string,
): Promise<AdminTemplate> {
	const given = text("template");
	const { templates } = await clients.whatsapp().listAllTemplates({
		organizationId,
	});
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

function show({ template, locallyDisabled }: AdminTemplate): Row {
	return {
		...toRow(template, "id", "name", "language", "category", "status"),
		parameters: template?.parameterCount,
		locally_disabled: locallyDisabled,
		...toRow(template, "updatedAt"),
	};
}
