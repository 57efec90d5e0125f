import { randomInt, randomUUID } from "node:crypto";
import { compareReports } from "@airtower/dev/chaos/invariants/reports";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { type SharedSystem, sharedSystem } from "./support/shared-system.ts";

/** Longest waits on a busy machine: for all ends, and for the test, ms. */
const ENDS = { timeoutMs: 120_000, everyMs: 500 };
const LONGEST_MS = 240_000;
const HOUR_MS = 3_600_000;

/** What becomes of them is told by their last digits. */
const DELIVERED = ["+33612340100", "+33612340101", "+447400123456"];
const FAILED = ["+33612340002", "+33612340003"];
const LATER = ["+33612340102", "+33612340103"];

/** The provider does not know it: what is sent from it waits. */
async function whatsappNumber(
	{ whatsappAdmin }: AdminClients,
	system: SharedSystem,
	organizationId: string,
): Promise<string> {
	const { phoneNumber } = await whatsappAdmin.registerPhoneNumber({
		organizationId,
		phone: `+1555${randomInt(1_000_000, 10_000_000)}`,
		providerPhoneNumberId: randomUUID(),
		providerAccountId: cloudApiNumber.providerAccountId,
		accessToken: system.cloudApiToken,
	});
	await whatsappAdmin.syncTemplates({ organizationId });
	return phoneNumber?.id ?? "";
}

test(
	"reports of SMS and WhatsApp messages that were delivered, failed or canceled, or that wait, are those of a recount of all tables",
	async () => {
		const system = await sharedSystem();
		const { id, apiKey } = await createOrganization(adminClients(system), 100);
		const client = apiClient(system.baseUrl, apiKey);
		const sql = postgres(system.adminDatabaseUrl, { max: 1 });
		onTestFinished(async () => {
			await client.close();
			await sql.end();
		});
		const admin = createAdminClients(adminAccessOf(system));
		const phoneNumberId = await whatsappNumber(admin, system, id);
		const template = {
			name: "order_update",
			language: "en_US",
			category: "utility",
			parameters: ["Ada", "42"],
		};
		const message = "Your code is 123456";
		const send_at = new Date(Date.now() + HOUR_MS).toISOString();
		const sent = await Promise.all([
			...[...DELIVERED, ...FAILED].map((to) =>
				client.post("/sms/send", { to, message }),
			),
			...LATER.map((to) => client.post("/sms/send", { to, message, send_at })),
			...["+33612340104", "+33612340105"].map((to) =>
				client.post("/whatsapp/messages", {
					type: "template",
					to,
					phoneNumberId,
					template,
				}),
			),
		]);
		expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 202));
		const removed = { organizationId: id, phoneNumberId };
		await admin.whatsappAdmin.removePhoneNumber(removed);
		const later = Object(sent[DELIVERED.length + FAILED.length]?.body.provider);
		const canceled = await client.delete(`/sms/messages/${later.messageId}`);
		expect(canceled.status).toBe(200);

		const report = async (groupBy: string) => {
			const path = `/reports/delivery?group_by=${groupBy}`;
			const { body } = await client.get(path);
			return Array.from(Object(body.sums), (sum) => Object(sum));
		};
		await eventually(async () => {
			const lines = await report("template");
			expect(lines).toMatchObject([
				{
					value: null,
					channel: "sms",
					accepted: DELIVERED.length + FAILED.length + LATER.length,
					delivered: DELIVERED.length,
					failed: FAILED.length,
					canceled: 1,
					unknown: LATER.length - 1,
				},
				{
					value: template.name,
					channel: "whatsapp",
					accepted: 2,
					failed: 2,
					unknown: 0,
				},
			]);
		}, ENDS);
		expect(await compareReports(sql, id)).toEqual([]);
		const countries = (await report("country"))
			.filter(({ channel }) => channel === "sms")
			.map(({ value, accepted }) => [value, accepted]);
		expect(countries).toEqual([
			["FR", 6],
			["GB", 1],
		]);
	},
	LONGEST_MS,
);
