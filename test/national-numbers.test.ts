import { randomInt, randomUUID } from "node:crypto";
import {
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { eventually } from "@airtower/platform/testing/eventually";
import { beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "./support/api.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { sharedSystem } from "./support/shared-system.ts";

const FORMS = [
	"0612345678",
	"06 12 34 56 79",
	"06.12.34.56.80",
	"06-12-34-56-81",
	"06 12.34-56 82",
];

interface Organization extends ApiClient {
	readonly phoneNumberId: string;
}

let french: Organization;
let countryless: Organization;

beforeAll(async () => {
	const system = await sharedSystem();
	const admin = adminClients(system);
	const { whatsappAdmin } = createAdminClients(adminAccessOf(system));
	const client = async (more: { defaultCountry?: string }) => {
		const { id, apiKey } = await createOrganization(admin, 100, more);
		const number = await whatsappAdmin.registerPhoneNumber({
			organizationId: id,
			phone: `+1555${randomInt(1_000_000, 10_000_000)}`,
			providerPhoneNumberId: randomUUID(),
			providerAccountId: cloudApiNumber.providerAccountId,
			accessToken: system.cloudApiToken,
		});
		await whatsappAdmin.syncTemplates({ organizationId: id });
		const phoneNumberId = number.phoneNumber?.id ?? "";
		return { ...apiClient(system.baseUrl, apiKey), phoneNumberId };
	};
	french = await client({ defaultCountry: "FR" });
	countryless = await client({});
	return () => Promise.all([french.close(), countryless.close()]);
});

/** A WhatsApp message of an organization, with the number written like this. */
const sendWhatsApp = (from: Organization, to: string) =>
	from.post("/whatsapp/messages", {
		type: "template",
		to,
		phoneNumberId: from.phoneNumberId,
		template: {
			name: "order_update",
			language: "en_US",
			category: "utility",
			parameters: ["Ada", "42"],
		},
	});

test.each(FORMS)(
	"%s is read alike by SMS, WhatsApp and contacts of an organization with a country",
	async (number) => {
		const international = `+33${number.replace(/\D/g, "").slice(1)}`;
		const sms = await french.post("/sms/send", { to: number, message: "Hi" });
		expect(sms.status).toBe(202);
		const whatsapp = await sendWhatsApp(french, number);
		expect(whatsapp.status).toBe(202);
		const listed = await french.get("/whatsapp/messages?limit=1");
		expect(listed.body.messages).toMatchObject([
			{ id: whatsapp.body.messageId, recipient: international },
		]);
		const contact = { name: randomUUID(), phone: number };
		const created = await french.post("/contacts", contact);
		expect(created.body.contact).toMatchObject({ phone: international });
	},
);

test("a campaign skips none of them", async () => {
	const recipients = FORMS;
	const body = { name: "Forms", content: "Hi", recipients };
	expect((await french.post("/campaigns", body)).status).toBe(201);
	await eventually(async () => {
		const { body } = await french.get("/campaigns");
		const [campaign] = Object(body).campaigns;
		expect(campaign.stats).toMatchObject({ skipped: 0, accepted: 5 });
	});
});

test("without a country they are no numbers", async () => {
	for (const to of FORMS.slice(1)) {
		const sms = await countryless.post("/sms/send", { to, message: "Hi" });
		const whatsapp = await sendWhatsApp(countryless, to);
		for (const { status, body } of [sms, whatsapp]) {
			expect(status).toBe(400);
			expect(Object(body.error).details).toMatchObject([
				{ field: "to", code: "invalid_phone_number" },
			]);
		}
	}
});
