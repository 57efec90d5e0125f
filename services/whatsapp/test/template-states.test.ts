import { eventually } from "@airtower/platform/testing/eventually";
import { refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	reasonsOf,
	type Send,
	send,
	templateWith,
	untilStatus,
} from "./support/messages.ts";
import {
	type Stage,
	startStage,
	type TestOrganization,
} from "./support/stage.ts";

let stage: Stage;
let own: TestOrganization;
let foreign: TestOrganization;

beforeAll(async () => {
	stage = await startStage();
	own = await stage.newOrganization();
	foreign = await stage.newOrganization();
});
afterAll(() => stage.close());

const TO = "+33612345678";

async function reasonsTo(message: Send) {
	const { results } = await stage.clients.whatsapp.sendWhatsAppMessages({
		messages: [message],
	});
	return reasonsOf(results);
}

describe("templates", () => {
	it("that are locally disabled are neither listed nor sent", async () => {
		const { organizationId } = own;
		const { whatsapp, admin } = stage.clients;
		const listed = async () =>
			(await whatsapp.listTemplates({ organizationId, page: { limit: 50 } }))
				.templates;
		const template = (await listed()).find(
			(one) => one.name === "appointment_reminder",
		);
		const templateId = template?.id ?? "";
		const reminder = templateWith(own, TO, {
			name: "appointment_reminder",
			parameters: [],
		});
		await admin.setTemplateDisabled({
			organizationId,
			templateId,
			disabled: true,
		});
		expect((await listed()).map((one) => one.id)).not.toContain(templateId);
		expect(await reasonsTo(reminder)).toEqual([
			"template_not_sendable template.name",
		]);
		const all = await admin.listAllTemplates({ organizationId });
		expect(
			all.templates.find((one) => one.template?.id === templateId),
		).toMatchObject({ locallyDisabled: true });
		await admin.setTemplateDisabled({
			organizationId,
			templateId,
			disabled: false,
		});
		expect(await reasonsTo(reminder)).toEqual([""]);
		expect(
			await refusalOf(
				admin.setTemplateDisabled({
					organizationId: foreign.organizationId,
					templateId,
					disabled: true,
				}),
			),
		).toMatchObject({ reason: "template_not_found" });
	});

	it("are refused as soon as the provider recategorises them, by callback and by reading", async () => {
		const order = { name: "order_update", language: "fr" };
		const french = templateWith(own, TO, { language: "fr" });
		expect(await reasonsTo(french)).toEqual([""]);
		await stage.api.changeTemplate({ ...order, category: "MARKETING" });
		await eventually(async () =>
			expect(await reasonsTo(french)).toEqual([
				"template_not_sendable template.name",
			]),
		);
		await stage.api.changeTemplate({
			...order,
			category: "UTILITY",
			notify: false,
		});
		await stage.clients.admin.syncTemplates({
			organizationId: own.organizationId,
		});
		expect(await reasonsTo(french)).toEqual([""]);
	});

	it("are taken with their new places as soon as the provider has approved a change of them", async () => {
		const names = { name: "parcel_survey", language: "en_US" };
		const survey = (...parameters: string[]) =>
			templateWith(own, TO, { ...names, parameters });
		await stage.api.changeTemplate({ ...names, status: "APPROVED" });
		await eventually(async () =>
			expect(await reasonsTo(survey("Ada"))).toEqual([""]),
		);
		const template = stage.api.templates.find(names.name, names.language) ?? {};
		const text = "How did we do, {{1}}, with parcel {{2}}?";
		Object.assign(template, { components: [{ type: "BODY", text }] });
		await stage.api.changeTemplate({ ...names, status: "APPROVED" });
		await eventually(async () =>
			expect(await reasonsTo(survey("Ada", "42"))).toEqual([""]),
		);
	});

	it("change their status by callback, and are disabled when they are no longer listed", async () => {
		const { organizationId } = own;
		const name = "appointment_reminder";
		const statusOf = async () =>
			(
				await stage.clients.whatsapp.listTemplates({
					organizationId,
					name,
					page: { limit: 5 },
				})
			).templates[0]?.status;
		await stage.api.changeTemplate({
			name,
			language: "en_US",
			status: "PAUSED",
		});
		await eventually(async () => expect(await statusOf()).toBe("paused"));
		stage.api.templates.remove(name, "en_US");
		const { templates } = await stage.clients.admin.syncTemplates({
			organizationId,
		});
		expect(templates).toBe(6);
		expect(await statusOf()).toBe("disabled");
	});

	it("are read anew once the provider refuses one of which no callback has told, and then refused at once", async () => {
		const named = { name: "order_update", language: "en_US" };
		const message = templateWith(own, TO, named);
		expect(await reasonsTo(message)).toEqual([""]);
		await stage.api.changeTemplate({
			...named,
			status: "PAUSED",
			notify: false,
		});
		const [id = ""] = await send(stage, message);
		await untilStatus(stage, own, id, "failed");
		await eventually(async () =>
			expect(await reasonsTo(message)).toEqual([
				"template_not_sendable template.name",
			]),
		);
	});
});
