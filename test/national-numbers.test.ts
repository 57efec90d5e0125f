import { randomUUID } from "node:crypto";
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

let french: ApiClient;
let countryless: ApiClient;

beforeAll(async () => {
	const system = await sharedSystem();
	const admin = adminClients(system);
	const client = async (more: { defaultCountry?: string }) => {
		const { apiKey } = await createOrganization(admin, 100, more);
		return apiClient(system.baseUrl, apiKey);
	};
	french = await client({ defaultCountry: "FR" });
	countryless = await client({});
	return () => Promise.all([french.close(), countryless.close()]);
});

test.each(FORMS)(
	"%s is read alike by SMS and contacts of an organization with a country",
	async (number) => {
		const international = `+33${number.replace(/\D/g, "").slice(1)}`;
		const sms = await french.post("/sms/send", { to: number, message: "Hi" });
		expect(sms.status).toBe(202);
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
		expect(sms.status).toBe(400);
		expect(Object(sms.body.error).details).toMatchObject([
			{ field: "to", code: "invalid_phone_number" },
		]);
	}
});
