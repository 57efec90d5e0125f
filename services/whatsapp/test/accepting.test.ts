import { createHash, randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, refusalOf } from "./support/clients.ts";
import {
	ACCESS_TOKEN,
	reasonsOf,
	type Send,
	type Stage,
	send,
	startStage,
	type TestOrganization,
	templateTo,
	textTo,
	WABA_ID,
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

async function answersTo(...messages: Send[]) {
	const { results } = await stage.clients.whatsapp.sendWhatsAppMessages({
		messages,
	});
	return results;
}

const withTemplate = (fields: object): Send => {
	const message = templateTo(own, TO);
	if (message.content.case !== "template") throw new Error("no template");
	const value = { ...message.content.value, ...fields };
	return { ...message, content: { case: "template", value } };
};

const keyed = (message: Send, key: string): Send => ({
	...message,
	idempotency: {
		key,
		fingerprint: createHash("sha256").update(JSON.stringify(message)).digest(),
	},
});

describe("a send is refused before it reaches the provider:", () => {
	const cases: [string, () => Send, string][] = [
		[
			"an unknown number",
			() => ({ ...templateTo(own, TO), phoneNumberId: randomUUID() }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"another organization's number",
			() => ({ ...templateTo(own, TO), phoneNumberId: foreign.phoneNumberId }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"a number id that is none",
			() => ({ ...templateTo(own, TO), phoneNumberId: "x" }),
			"unknown_phone_number phoneNumberId",
		],
		[
			"a recipient that is none",
			() => templateTo(own, "12"),
			"invalid_phone_number to",
		],
		[
			"an unknown template",
			() => withTemplate({ name: "nothing" }),
			"template_not_found template.name",
		],
		[
			"another language",
			() => withTemplate({ language: "de" }),
			"template_not_found template.name",
		],
		[
			"a pending template",
			() => withTemplate({ name: "parcel_survey", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"a paused template",
			() => withTemplate({ name: "old_notice", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"a marketing template",
			() => withTemplate({ name: "spring_sale", parameters: ["Ada"] }),
			"template_not_sendable template.name",
		],
		[
			"another category",
			() => withTemplate({ category: "authentication" }),
			"template_category_mismatch template.category",
		],
		[
			"too few parameters",
			() => withTemplate({ parameters: ["Ada"] }),
			"template_parameters_mismatch template.parameters",
		],
		[
			"an empty parameter",
			() => withTemplate({ parameters: ["Ada", ""] }),
			"template_parameters_mismatch template.parameters",
		],
		[
			"a text without a window",
			() => textTo(own, TO),
			"service_window_closed to",
		],
		["an empty text", () => textTo(own, TO, " "), "required text.body"],
		[
			"a text of 4,097 characters",
			() => textTo(own, TO, "\u{1F600}".repeat(4_097)),
			"message_too_long text.body",
		],
		[
			"a NUL in a text",
			() => textTo(own, TO, "a\0b"),
			"invalid_characters text.body",
		],
		[
			"a long reference",
			() => ({ ...templateTo(own, TO), clientReference: "r".repeat(129) }),
			"too_long clientReference",
		],
	];
	it.each(cases)("%s", async (_, message, reason) => {
		const results = await answersTo(message());
		expect(reasonsOf(results)).toEqual([reason]);
		const [result] = results;
		const value =
			result?.result.case === "refused" ? result.result.value : undefined;
		expect(value?.message).toMatch(/^[A-Z].*\.$/);
	});

	it("and its neighbours in the batch go through", async () => {
		const reasons = reasonsOf(
			await answersTo(
				templateTo(own, TO),
				templateTo(own, "12"),
				templateTo(own, TO),
			),
		);
		expect(reasons).toEqual(["", "invalid_phone_number to", ""]);
	});
});

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
		const reminder = withTemplate({
			name: "appointment_reminder",
			parameters: [],
		});
		await admin.setTemplateDisabled({
			organizationId,
			templateId,
			disabled: true,
		});
		expect((await listed()).map((one) => one.id)).not.toContain(templateId);
		expect(reasonsOf(await answersTo(reminder))).toEqual([
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
		expect(reasonsOf(await answersTo(reminder))).toEqual([""]);
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
		const french = withTemplate({ language: "fr" });
		expect(reasonsOf(await answersTo(french))).toEqual([""]);
		await stage.api.changeTemplate({ ...order, category: "MARKETING" });
		await eventually(async () =>
			expect(reasonsOf(await answersTo(french))).toEqual([
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
		expect(reasonsOf(await answersTo(french))).toEqual([""]);
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
});

describe("an idempotency key", () => {
	it("gives 100 parallel twins one message and one answer", async () => {
		const message = keyed(templateTo(own, TO), randomUUID());
		const before = stage.api.sends.length;
		const answers = await Promise.all(
			Array.from({ length: 100 }, () => answersTo(message)),
		);
		const accepted = answers
			.flat()
			.flatMap(({ result }) =>
				result.case === "accepted" ? [result.value] : [],
			);
		expect(new Set(accepted.map((one) => one.messageId)).size).toBe(1);
		expect(accepted.filter((one) => one.replayed)).toHaveLength(99);
		const id = accepted[0]?.messageId;
		await eventually(() =>
			expect(
				stage.api.sends.slice(before).filter((one) => one.opaque === id),
			).toHaveLength(1),
		);
	});

	it("serves twins inside one batch, and refuses another request under it", async () => {
		const key = randomUUID();
		const message = keyed(templateTo(own, TO), key);
		const other = keyed(templateTo(own, "+33612345679"), key);
		expect(reasonsOf(await answersTo(message, message, other))).toEqual([
			"",
			"",
			"idempotency_key_reused",
		]);
		expect(reasonsOf(await answersTo(other))).toEqual([
			"idempotency_key_reused",
		]);
	});

	it("is free again after a refusal, and is each organization's own", async () => {
		const key = randomUUID();
		expect(reasonsOf(await answersTo(keyed(textTo(own, TO), key)))).toEqual([
			"service_window_closed to",
		]);
		expect(reasonsOf(await answersTo(keyed(templateTo(own, TO), key)))).toEqual(
			[""],
		);
		expect(
			reasonsOf(await answersTo(keyed(templateTo(foreign, TO), key))),
		).toEqual([""]);
	});
});

describe("access", () => {
	it("refuses callers without a valid token and for another organization", async () => {
		const messages = [templateTo(own, TO)];
		const { strangerWhatsapp, whatsappOf, serviceAdmin } = stage.clients;
		expect(
			String(
				await errorOf(strangerWhatsapp.sendWhatsAppMessages({ messages })),
			),
		).toMatch(/unauthenticated/);
		expect(
			await refusalOf(
				whatsappOf(foreign.organizationId).sendWhatsAppMessages({ messages }),
			),
		).toMatchObject({ reason: "organization_mismatch" });
		const { organizationId } = own;
		const page = { limit: 5 };
		const stranger = whatsappOf(foreign.organizationId);
		for (const list of [
			stranger.listMessages,
			stranger.listTemplates,
			stranger.listConversations,
		])
			expect(await refusalOf(list({ organizationId, page }))).toMatchObject({
				reason: "organization_mismatch",
			});
		expect(
			String(await errorOf(serviceAdmin.listPhoneNumbers({ organizationId }))),
		).toMatch(/permission_denied/);
	});

	it("refuses a token that no header can carry", async () => {
		expect(
			await refusalOf(
				stage.clients.admin.registerPhoneNumber({
					organizationId: own.organizationId,
					phone: "+15550008888",
					providerPhoneNumberId: "pn-8888",
					providerAccountId: "x",
					accessToken: "token\n",
				}),
			),
		).toMatchObject({ kind: "invalid", reason: "validation_failed" });
	});

	it("gives a number that is registered again its new token, and keeps its id", async () => {
		const { organizationId, phoneNumberId, providerId } =
			await stage.newOrganization();
		const { admin } = stage.clients;
		const listed = () => admin.listPhoneNumbers({ organizationId });
		const [number] = (await listed()).phoneNumbers;
		const tokenOf = async () => {
			const rows = await stage.database.sql`
				select access_token
				from phone_numbers
				where id = ${phoneNumberId}
			`;
			return rows[0]?.access_token as Buffer;
		};
		const before = await tokenOf();
		await admin.registerPhoneNumber({
			organizationId,
			phone: number?.phone ?? "",
			providerPhoneNumberId: providerId,
			providerAccountId: WABA_ID,
			accessToken: `${ACCESS_TOKEN}-new`,
		});
		expect((await tokenOf()).equals(before)).toBe(false);
		expect((await listed()).phoneNumbers).toEqual([number]);
	});

	it("refuses a number twice, under any organization", async () => {
		const { organizationId, providerId } = own;
		const registration = {
			organizationId,
			phone: "+15550009999",
			providerPhoneNumberId: providerId,
			providerAccountId: "x",
			accessToken: "x",
		};
		for (const id of [organizationId, foreign.organizationId])
			expect(
				await refusalOf(
					stage.clients.admin.registerPhoneNumber({
						...registration,
						organizationId: id,
					}),
				),
			).toMatchObject({ kind: "conflict", reason: "phone_number_exists" });
	});
});

it("stores no token in the clear, and no parameter longer than it is needed", async () => {
	const secret = `secret-${randomUUID()}`;
	const [id = ""] = await send(
		stage,
		withTemplate({ parameters: ["Ada", secret] }),
	);
	const { sql } = stage.database;
	await eventually(async () =>
		expect(
			await sql`select from dispatch where message_id = ${id}`,
		).toHaveLength(0),
	);
	const rows = await sql<{ text: string }[]>`
		select messages::text as text
		from messages
		where id = ${id}
		union all
		select phone_numbers::text
		from phone_numbers
	`;
	for (const { text } of rows) {
		expect(text).not.toContain(secret);
		expect(text).not.toContain("EAAG");
	}
});
