import { createHmac, randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	readMessage,
	send,
	templateTo,
	untilOutcome,
	untilStatus,
} from "./support/messages.ts";
import {
	APP_SECRET,
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

/** A message without any status of its own. */
async function silentMessage() {
	const [id = ""] = await send(stage, templateTo(own, "+33612340006"));
	await untilStatus(stage, own, id, "sent");
	const wamid = stage.api.sends.find((one) => one.opaque === id)?.id ?? "";
	return { id, wamid };
}

function bodyOf(value: object, providerId = own.providerId): string {
	return JSON.stringify({
		object: "whatsapp_business_account",
		entry: [
			{
				id: WABA_ID,
				time: Math.floor(Date.now() / 1_000),
				changes: [
					{
						field: "messages",
						value: { metadata: { phone_number_id: providerId }, ...value },
					},
				],
			},
		],
	});
}

const now = () => String(Math.floor(Date.now() / 1_000));
const status = (wamid: string, word: string, more: object = {}) => ({
	id: wamid,
	status: word,
	timestamp: now(),
	...more,
});

async function untilProcessed(): Promise<void> {
	await eventually(async () => {
		const rows = await stage.database.sql`
			select from callbacks where state = 'stored' and tries = 0
		`;
		expect(rows).toHaveLength(0);
	});
}

describe("a callback", () => {
	it("that is forged is refused and not stored", async () => {
		const { wamid, id } = await silentMessage();
		const body = Buffer.from(
			bodyOf({ statuses: [status(wamid, "delivered")] }),
		);
		const { whatsapp } = stage.clients;
		const good = `sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`;
		const forged = `sha256=${createHmac("sha256", "another").update(body).digest("hex")}`;
		const count = async () =>
			(await stage.database.sql`select from callbacks`).length;
		const before = await count();
		for (const [bytes, signature] of [
			[body, forged],
			[body, ""],
			[Buffer.concat([body, Buffer.from(" ")]), good],
		] as const)
			expect(
				await refusalOf(whatsapp.receiveCallback({ body: bytes, signature })),
			).toMatchObject({
				kind: "unauthenticated",
				reason: "invalid_callback_signature",
			});
		expect(await count()).toBe(before);
		expect((await readMessage(stage, own, id)).status).toBe("sent");
		await whatsapp.receiveCallback({ body, signature: good });
		await untilStatus(stage, own, id, "delivered");
	});

	it("with bad items keeps none of their neighbours back", async () => {
		const { wamid, id } = await silentMessage();
		const bad = [
			null,
			{},
			status(wamid, "warning"),
			status("x".repeat(5_000), "read"),
		];
		const statuses = [...bad, status(wamid, "delivered"), ...bad];
		const messages = [
			{ id: "a\0b", type: "text", from: "33612345678", timestamp: now() },
			{
				id: `wamid.${randomUUID()}`,
				type: "text",
				from: "33699887766",
				timestamp: now(),
			},
		];
		await stage.api.poster.postRaw(bodyOf({ statuses, messages }));
		await untilStatus(stage, own, id, "delivered");
		const { conversations } = await stage.clients.whatsapp.listConversations({
			organizationId: own.organizationId,
			recipient: "+33699887766",
			page: { limit: 5 },
		});
		expect(conversations).toMatchObject([{ status: "open" }]);
		const [kept] = await stage.database.sql`
			select note from callbacks where state = 'kept' order by received_at desc limit 1
		`;
		expect(kept?.note).toBe("unreadable status; unreadable message");
	});

	it("with an item that the database refuses applies the others", async () => {
		const { wamid, id } = await silentMessage();
		const { sql } = stage.database;
		await sql`
			alter table messages add constraint test_refusal
			check (provider_error not like '%poison%') not valid
		`;
		const other = await silentMessage();
		const errors = [{ code: 131_026, title: "poison" }];
		await stage.api.poster.postRaw(
			bodyOf({
				statuses: [
					status(other.wamid, "failed", { errors }),
					status(wamid, "read"),
				],
			}),
		);
		await untilStatus(stage, own, id, "read");
		expect((await readMessage(stage, own, other.id)).status).toBe("sent");
		await sql`alter table messages drop constraint test_refusal`;
	});

	it("of a field whose name the database cannot store is kept, and holds up no other", async () => {
		const { wamid, id } = await silentMessage();
		const odd = { field: "a\0b", value: {} };
		await stage.api.poster.postRaw(
			JSON.stringify({ entry: [{ id: "account", changes: [odd] }] }),
		);
		await stage.api.poster.postRaw(
			bodyOf({ statuses: [status(wamid, "delivered")] }),
		);
		await untilStatus(stage, own, id, "delivered");
		await untilProcessed();
	});

	it("of an unknown kind or shape is kept, and acknowledged", async () => {
		const { poster } = stage.api;
		const unknown = JSON.stringify({
			entry: [
				{ id: WABA_ID, changes: [{ field: "account_alerts", value: {} }] },
			],
		});
		for (const body of [unknown, "not json", "[]", "{}"])
			expect(await poster.postRaw(body)).toBe(200);
		await untilProcessed();
		const rows = await stage.database.sql<{ note: string }[]>`
			select note from callbacks where state = 'kept'
		`;
		const notes = rows.map((row) => row.note);
		expect(notes).toContain("unknown field account_alerts");
		expect(notes).toContain("not a callback");
	});

	it("in any order and twice moves a message forward only, with one outcome", async () => {
		const { wamid, id } = await silentMessage();
		const words = ["read", "sent", "delivered", "read", "failed", "delivered"];
		for (const word of words)
			await stage.api.poster.postRaw(
				bodyOf({ statuses: [status(wamid, word)] }),
			);
		await untilStatus(stage, own, id, "read");
		await untilProcessed();
		expect(await readMessage(stage, own, id)).toMatchObject({
			status: "read",
			errorCode: "",
		});
		expect(await untilOutcome(stage, id)).toHaveLength(1);
	});

	it("for another number moves nothing, even when it echoes the id", async () => {
		const { wamid, id } = await silentMessage();
		const echoed = status(wamid, "read", { biz_opaque_callback_data: id });
		await stage.api.poster.postRaw(
			bodyOf({ statuses: [echoed] }, foreign.providerId),
		);
		await untilProcessed();
		expect((await readMessage(stage, own, id)).status).toBe("sent");
	});

	it("of another message of the provider moves nothing, even when it echoes the id", async () => {
		const { id } = await silentMessage();
		const strange = status(`wamid.${randomUUID()}`, "failed", {
			biz_opaque_callback_data: id,
			recipient_id: "33699999999",
		});
		await stage.api.poster.postRaw(bodyOf({ statuses: [strange] }));
		await untilProcessed();
		expect((await readMessage(stage, own, id)).status).toBe("sent");
	});

	it("about something unknown waits, and is tried again", async () => {
		const wamid = `wamid.${randomUUID()}`;
		await stage.api.poster.postRaw(
			bodyOf({ statuses: [status(wamid, "read")] }),
		);
		await untilProcessed();
		const [row] = await stage.database.sql`
			select state, tries, due_at > now() as later
			from callbacks
			where position(${wamid} in convert_from(body, 'utf8')) > 0
		`;
		expect(row).toEqual({ state: "stored", tries: 1, later: true });
	});

	it("takes the provider's billing category", async () => {
		const { wamid, id } = await silentMessage();
		const pricing = { billable: true, category: "service" };
		await stage.api.poster.postRaw(
			bodyOf({ statuses: [status(wamid, "delivered", { pricing })] }),
		);
		const message = await untilStatus(stage, own, id, "delivered");
		expect(message.billingCategory).toBe("service");
	});
});
