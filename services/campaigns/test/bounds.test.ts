import { transaction } from "@airtower/platform/database/database";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rpcRoutes } from "../src/rpc/index.ts";
import { erasableTables } from "../src/store/personal-data.ts";
import { fakeMessaging } from "./fake-messaging.ts";
import { contextWith, ownDatabase, phone, runAll } from "./test-campaigns.ts";

const CONTACTS = 3;
const OPEN_CAMPAIGNS = 2;
const HOUR_MS = 3_600_000;

const sql = await ownDatabase();
let server: TestRpcServer;
let organizationId: string;

beforeAll(async () => {
	const ctx = {
		...contextWith(sql, fakeMessaging()),
		bounds: {
			contacts: CONTACTS,
			openCampaigns: OPEN_CAMPAIGNS,
			previewed: 100_000,
		},
	};
	const routes = rpcRoutes(ctx, () => {});
	server = await serveRoutes("campaigns", routes);
});
afterAll(() => server.close());

beforeEach(() => {
	organizationId = uuidv7();
});

/** The reason of the refusal, or "ok". */
function outcomeOf(call: Promise<unknown>): Promise<string> {
	return call.then(
		() => "ok",
		(error) => domainErrorFrom(error)?.reason ?? String(error),
	);
}

const contact = (index: number) => ({
	organizationId,
	name: "Ada",
	phone: phone(index),
	tags: ["gold"],
});
const addContact = (index: number) =>
	outcomeOf(server.client(ContactsService).createContact(contact(index)));

/** Asks at once for the contacts with these numbers; returns how often each outcome came. */
async function addContacts(indexes: readonly number[]) {
	const outcomes = await Promise.all(indexes.map(addContact));
	return Object.fromEntries(
		outcomes.map((one) => [one, outcomes.filter((it) => it === one).length]),
	);
}

const scheduled = () => ({
	organizationId,
	name: "Sale",
	messageTemplate: "Hi",
	audienceTagMatchMode: "all",
	recipients: [phone(1)],
	scheduledAt: timestampFromDate(new Date(Date.now() + HOUR_MS)),
});

test("an organization has so many contacts and no more, however many ask at once", async () => {
	expect(await addContacts([0, 1, 2, 3, 4, 5])).toEqual({
		ok: CONTACTS,
		contact_limit_reached: 3,
	});
	organizationId = uuidv7();
	expect(await addContact(0)).toBe("ok");
});

test("a contact that is deleted or erased makes room for another; one that exists takes none", async () => {
	const contacts = server.client(ContactsService);
	expect(await addContact(0)).toBe("ok");
	expect(await addContacts([0, 1, 2])).toMatchObject({
		ok: 2,
		contact_exists: 1,
	});
	const { contacts: listed } = await contacts.listContacts({
		organizationId,
		page: { limit: 1 },
	});
	const contactId = listed[0]?.id ?? 0n;
	await contacts.deleteContact({ organizationId, contactId });
	expect(await addContact(4)).toBe("ok");
	expect(await addContact(5)).toBe("contact_limit_reached");
	for (const { erase } of erasableTables)
		await transaction(sql, (sql) =>
			erase(sql, { organizationId, phone: phone(4) }, ""),
		);
	expect(await addContacts([6, 7])).toEqual({
		ok: 1,
		contact_limit_reached: 1,
	});
});

test("an organization has so many campaigns that are not over, however many ask at once", async () => {
	const campaigns = server.client(CampaignsService);
	const outcomes = await Promise.all(
		Array.from({ length: 5 }, () =>
			outcomeOf(campaigns.createCampaign(scheduled())),
		),
	);
	expect(outcomes.filter((one) => one === "ok")).toHaveLength(OPEN_CAMPAIGNS);
	expect(new Set(outcomes)).toEqual(new Set(["ok", "campaign_limit_reached"]));
	const { campaigns: listed } = await campaigns.listCampaigns({
		organizationId,
		page: { limit: 1 },
	});
	await campaigns.changeCampaign({
		organizationId,
		campaignId: listed[0]?.id ?? "",
		change: "cancel",
	});
	expect(await outcomeOf(campaigns.createCampaign(scheduled()))).toBe("ok");
});

test("a campaign that has sent to all and waits for outcomes takes no place of another", async () => {
	const campaigns = server.client(CampaignsService);
	for (let nth = 0; nth < OPEN_CAMPAIGNS; nth++)
		await campaigns.createCampaign({
			...scheduled(),
			recipients: [phone(nth)],
		});
	expect(await outcomeOf(campaigns.createCampaign(scheduled()))).toBe(
		"campaign_limit_reached",
	);
	await sql`
		update campaigns
		set due_at = now()
		where organization_id = ${organizationId}
	`;
	await runAll(contextWith(sql, fakeMessaging()));
	const { campaigns: listed } = await campaigns.listCampaigns({
		organizationId,
		page: { limit: 10 },
	});
	expect(listed.map(({ status }) => status)).toEqual(
		listed.map(() => "sending"),
	);
	expect(await outcomeOf(campaigns.createCampaign(scheduled()))).toBe("ok");
});

test.each([
	"\u001b[2Jgone",
	"bell\u0007",
	"two\r\nlines",
	"\u202etxt.exe",
	"a\u2028b",
	"a\u0000b",
])("a name or tag %j is refused", async (text) => {
	const contacts = server.client(ContactsService);
	const campaigns = server.client(CampaignsService);
	const outcomes = [
		contacts.createContact({ ...contact(1), name: text }),
		contacts.createContact({ ...contact(1), tags: [text] }),
		campaigns.createCampaign({ ...scheduled(), name: text }),
	].map(outcomeOf);
	expect(await Promise.all(outcomes)).toEqual([
		"invalid_characters",
		"invalid_tags",
		"invalid_characters",
	]);
});
