import { randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { errorOf, refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, templateTo, templateWith } from "./support/messages.ts";
import {
	ACCESS_TOKEN,
	type Stage,
	startStage,
	type TestOrganization,
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
		templateWith(own, TO, { parameters: ["Ada", secret] }),
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
