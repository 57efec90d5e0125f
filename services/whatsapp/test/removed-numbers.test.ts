import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { refusalOf } from "@airtower/platform/testing/refusals";
import { metaError } from "@airtower/simulators/cloud-api/meta-error";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
	send,
	templateTo,
	untilOutcome,
	untilStatus,
} from "./support/messages.ts";
import {
	ACCESS_TOKEN,
	type Stage,
	startStage,
	type TestOrganization,
	WABA_ID,
} from "./support/stage.ts";

let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});
afterAll(() => stage.close());

const person = (lastFour: string) => `+3361290${lastFour}`;

const numbersOf = async ({ organizationId }: TestOrganization) =>
	(await stage.clients.admin.listPhoneNumbers({ organizationId })).phoneNumbers;

function remove({ organizationId, phoneNumberId }: TestOrganization) {
	const number = { organizationId, phoneNumberId };
	return stage.clients.admin.removePhoneNumber(number);
}

it("a removed number is listed no more, takes no message, and hears of those it has sent", async () => {
	const own = await stage.newOrganization();
	const [sent = ""] = await send(stage, templateTo(own, person("0010")));
	await untilStatus(stage, own, sent, "sent");
	await remove(own);
	expect(await numbersOf(own)).toEqual([]);
	const refused = send(stage, templateTo(own, person("1111")));
	await expect(refused).rejects.toThrow("unknown_phone_number");
	await untilStatus(stage, own, sent, "delivered");
	expect(await refusalOf(remove(own))).toMatchObject({
		reason: "unknown_phone_number",
	});
});

it("what waits on a removed number fails, and its token is gone", async () => {
	const own = await stage.newOrganization();
	stage.api.refuseNext({ ...metaError(190), code: 190 });
	const [waiting = ""] = await send(stage, templateTo(own, person("2222")));
	await eventually(async () =>
		expect(await numbersOf(own)).toMatchObject([{ status: "stopped" }]),
	);
	await remove(own);
	await untilStatus(stage, own, waiting, "failed");
	const [row] = await stage.database.sql`
		select length(access_token) as length
		from phone_numbers
		where id = ${own.phoneNumberId}
	`;
	expect(row?.length).toBe(0);
});

it("another organization may register a removed number, and hears what users write to it", async () => {
	const former = await stage.newOrganization();
	const [number] = await numbersOf(former);
	const next = await stage.newOrganization();
	const order = {
		organizationId: next.organizationId,
		phone: number?.phone ?? "",
		providerPhoneNumberId: former.providerId,
		providerAccountId: WABA_ID,
		accessToken: ACCESS_TOKEN,
	};
	const register = () => stage.clients.admin.registerPhoneNumber(order);
	expect(await refusalOf(register())).toMatchObject({
		reason: "phone_number_exists",
	});
	await remove(former);
	expect((await register()).phoneNumber?.status).toBe("active");
	const from = "33655443322";
	await stage.api.receiveText({ from, phoneNumberId: former.providerId });
	await eventually(async () => {
		const { messages } = await stage.clients.whatsapp.listMessages({
			organizationId: next.organizationId,
			recipient: `+${from}`,
			page: { limit: 5 },
		});
		expect(messages).toMatchObject([{ direction: "inbound" }]);
	});
});

it("messages of a removed number hear of what becomes of them, also after somebody has registered it again", async () => {
	const former = await stage.newOrganization();
	const order = {
		phone: (await numbersOf(former))[0]?.phone ?? "",
		providerPhoneNumberId: former.providerId,
		providerAccountId: WABA_ID,
		accessToken: ACCESS_TOKEN,
	};
	const [sent = ""] = await send(stage, templateTo(former, person("0006")));
	await untilStatus(stage, former, sent, "sent");
	const entry = stage.api.sends.find(({ opaque }) => opaque === sent);
	await remove(former);
	const next = await stage.newOrganization();
	const { organizationId } = next;
	await stage.clients.admin.registerPhoneNumber({ organizationId, ...order });
	const timestamp = String(Math.floor(Date.now() / 1_000));
	const statuses = [{ id: entry?.id, status: "delivered", timestamp }];
	const metadata = { phone_number_id: former.providerId };
	const change = { field: "messages", value: { metadata, statuses } };
	const body = { entry: [{ id: WABA_ID, changes: [change] }] };
	await stage.api.poster.postRaw(JSON.stringify(body));
	await untilStatus(stage, former, sent, "delivered");
	expect(await untilOutcome(stage, sent)).toHaveLength(1);
});

it("what users wrote or said before a removed number was registered again is not for whoever has it now", async () => {
	const former = await stage.newOrganization();
	const order = {
		phone: (await numbersOf(former))[0]?.phone ?? "",
		providerPhoneNumberId: former.providerId,
		providerAccountId: WABA_ID,
		accessToken: ACCESS_TOKEN,
	};
	const user = "33655443377";
	const timestamp = String(Math.floor(Date.now() / 1_000) - 60);
	const text = { from: user, type: "text", id: `wamid.${user}`, timestamp };
	const stop = { category: "marketing_messages", value: "stop" };
	const said = { ...stop, wa_id: user, timestamp };
	const change = (number: string, field: string, value: object) => ({
		field,
		value: { metadata: { phone_number_id: number }, ...value },
	});
	const changes = [
		change(former.providerId, "messages", { messages: [text] }),
		change(former.providerId, "user_preferences", { user_preferences: [said] }),
		// It has the whole callback tried again.
		change("nobody's", "messages", { messages: [text] }),
	];
	const body = { entry: [{ id: WABA_ID, changes }] };
	await stage.api.poster.postRaw(JSON.stringify(body));
	const { sql } = stage.database;
	const untilTried = (tries: number) =>
		eventually(async () => {
			const tried = await sql`
				select from callbacks
				where tries = ${tries}
				and position(convert_to(${user}, 'UTF8') in body) > 0
			`;
			expect(tried).toHaveLength(1);
		});
	await untilTried(1);
	await remove(former);
	const { organizationId } = await stage.newOrganization();
	await stage.clients.admin.registerPhoneNumber({ organizationId, ...order });
	await sql`update callbacks set due_at = now() where tries = 1`;
	await untilTried(2);
	for (const table of ["messages", "conversations", "marketing_preferences"]) {
		const owners = await sql`
			select organization_id as "organizationId"
			from ${sql(table)}
			where recipient = ${`+${user}`}
		`;
		expect(owners, table).toEqual([{ organizationId: former.organizationId }]);
	}
});

it("a new number gets the id that is wanted, unless a number has it or had it", async () => {
	const own = await stage.newOrganization();
	const [number] = await numbersOf(own);
	const order = {
		organizationId: own.organizationId,
		phone: number?.phone ?? "",
		providerPhoneNumberId: own.providerId,
		providerAccountId: WABA_ID,
		accessToken: ACCESS_TOKEN,
	};
	const register = async (phoneNumberId: string) => {
		const wanted = { ...order, phoneNumberId };
		return (await stage.clients.admin.registerPhoneNumber(wanted)).phoneNumber;
	};
	const id = uuidv7();
	expect((await register(id))?.id).toBe(own.phoneNumberId);
	await remove(own);
	expect(await refusalOf(register(own.phoneNumberId))).toMatchObject({
		reason: "phone_number_exists",
	});
	expect((await register(id.toUpperCase()))?.id).toBe(id);
});

it("another organization's number cannot be removed", async () => {
	const own = await stage.newOrganization();
	const { organizationId } = await stage.newOrganization();
	const foreign = remove({ ...own, organizationId });
	expect(await refusalOf(foreign)).toMatchObject({
		reason: "unknown_phone_number",
	});
	expect(await numbersOf(own)).toHaveLength(1);
});

it("a held organization's accepted messages wait, and go once it is let go", async () => {
	const own = await stage.newOrganization();
	const { organizationId } = own;
	await stage.clients.admin.setHold({ organizationId, held: true });
	const [id = ""] = await send(stage, templateTo(own, person("3333")));
	const free = await stage.newOrganization();
	const [other = ""] = await send(stage, templateTo(free, person("3334")));
	await untilStatus(stage, free, other, "read");
	const sent = () => stage.api.sends.filter(({ opaque }) => opaque === id);
	expect(sent()).toEqual([]);
	await stage.clients.admin.setHold({ organizationId, held: false });
	await untilStatus(stage, own, id, "read");
	expect(sent()).toHaveLength(1);
});
