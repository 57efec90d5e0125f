import { eventually } from "@airtower/platform/testing/eventually";
import { metaError } from "@airtower/simulators/cloud-api/meta-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	readMessage,
	type SendContent,
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
let own: TestOrganization;

beforeAll(async () => {
	stage = await startStage();
	own = await stage.newOrganization();
});
afterAll(() => stage.close());

/** A valid French mobile number with the given last four digits. */
let people = 10;
const person = (lastFour: string) => `+336${people++}90${lastFour}`;
const taken = (id: string) =>
	stage.api.sends.filter((one) => one.opaque === id);

describe("a message", () => {
	it("goes through sent, delivered and read, with one outcome", async () => {
		const to = person("5678");
		const [id = ""] = await send(
			stage,
			templateTo(own, to, { clientReference: "ref-1" }),
		);
		const message = await untilStatus(stage, own, id, "read");
		expect(message).toMatchObject({
			direction: "outbound",
			type: "template",
			recipient: to,
			phoneNumberId: own.phoneNumberId,
			billingCategory: "utility",
			templateName: "order_update",
			templateLanguage: "en_US",
			clientReference: "ref-1",
			errorCode: "",
		});
		for (const time of [message.sentAt, message.deliveredAt, message.readAt])
			expect(time).toBeDefined();
		expect(await untilOutcome(stage, id)).toMatchObject([
			{
				channel: "whatsapp",
				status: "delivered",
				to,
				clientReference: "ref-1",
			},
		]);
		expect(taken(id)).toHaveLength(1);
	});

	it("carries an authentication code to the body and the button", async () => {
		const content = {
			case: "template",
			value: {
				name: "login_code",
				language: "en_US",
				category: "authentication",
				parameters: ["123456"],
			},
		} satisfies SendContent;
		const [id = ""] = await send(
			stage,
			templateTo(own, person("5679"), { content }),
		);
		const message = await untilStatus(stage, own, id, "read");
		expect(message.billingCategory).toBe("authentication");
	});

	it.each([
		["0001 delivered after a second", "0001", "delivered"],
		["0007 statuses before the response", "0007", "delivered"],
		["0008 statuses twice and out of order", "0008", "read"],
		["0009 read without delivered", "0009", "read"],
		["0005 throttled twice", "0005", "read"],
	])("is delivered once: %s", async (_, digits, status) => {
		const [id = ""] = await send(stage, templateTo(own, person(digits)));
		const message = await untilStatus(stage, own, id, status);
		expect(message.deliveredAt).toBeDefined();
		await eventually(() => expect(stage.api.poster.pending).toBe(0));
		expect(await untilOutcome(stage, id)).toMatchObject([
			{ status: "delivered", errorCode: "" },
		]);
		expect(taken(id)).toHaveLength(1);
	});

	it.each([
		["0002", "undeliverable"],
		["0003", "rejected"],
	])(
		"to %s fails as %s, without a word of the provider's",
		async (digits, code) => {
			const [id = ""] = await send(stage, templateTo(own, person(digits)));
			const message = await untilStatus(stage, own, id, "failed");
			expect(message.errorCode).toBe(code);
			expect(await untilOutcome(stage, id)).toMatchObject([
				{ status: "failed", errorCode: code },
			]);
		},
	);

	it("whose response is lost is never sent again, and resolved by the echoed id", async () => {
		const [id = ""] = await send(stage, templateTo(own, person("0012")));
		await untilStatus(stage, own, id, "unknown");
		await untilStatus(stage, own, id, "delivered");
		expect(taken(id)).toMatchObject([{ answered: false }]);
		const trace = await stage.clients.admin.traceWhatsAppMessage({
			messageId: id,
		});
		expect(trace).toMatchObject({
			attempts: 1,
			providerMessageId: taken(id)[0]?.id,
			organizationId: own.organizationId,
		});
	});

	it("that is taken without any status stays sent", async () => {
		const [id = ""] = await send(stage, templateTo(own, person("0006")));
		await untilStatus(stage, own, id, "sent");
		const { sql } = stage.database;
		expect(
			await sql`select from dispatch where message_id = ${id}`,
		).toHaveLength(0);
	});

	it("to a recipient who got too many waits for that recipient alone", async () => {
		const error = { ...metaError(130_429), code: 131_056 };
		stage.api.refuseNext(error);
		const slow = person("1111");
		const [first = ""] = await send(stage, templateTo(own, slow));
		await untilStatus(stage, own, first, "submitting");
		await eventually(async () => {
			const [row] = await stage.database.sql<{ wait: number }[]>`
				select extract(epoch from due_at - now())::float8 as wait
				from dispatch
				where message_id = ${first}
				and token is null
			`;
			expect(row?.wait).toBeGreaterThan(4);
		});
		const [other = ""] = await send(stage, templateTo(own, person("1112")));
		await untilStatus(stage, own, other, "read");
		expect((await readMessage(stage, own, first)).status).toBe("submitting");
	});
});

describe("a number", () => {
	it("that the provider refuses is stopped, keeps its messages, and goes on with a new token", async () => {
		const broken = await stage.newOrganization();
		const { organizationId, phoneNumberId, providerId } = broken;
		stage.api.refuseNext({ ...metaError(190), code: 190 });
		const [id = ""] = await send(stage, templateTo(broken, person("2222")));
		const listed = () =>
			stage.clients.admin.listPhoneNumbers({ organizationId });
		await eventually(async () =>
			expect((await listed()).phoneNumbers).toMatchObject([
				{ status: "stopped", stoppedReason: "provider error 190" },
			]),
		);
		expect((await readMessage(stage, broken, id)).status).toBe("submitting");
		const { phoneNumbers } = await listed();
		const again = await stage.clients.admin.registerPhoneNumber({
			organizationId,
			phone: phoneNumbers[0]?.phone ?? "",
			providerPhoneNumberId: providerId,
			providerAccountId: WABA_ID,
			accessToken: ACCESS_TOKEN,
		});
		expect(again.phoneNumber).toMatchObject({
			id: phoneNumberId,
			status: "active",
		});
		await untilStatus(stage, broken, id, "read");
	});

	it("whose id the provider does not know is stopped, and keeps its messages", async () => {
		const { organizationId } = await stage.newOrganization();
		const { phoneNumber } = await stage.clients.admin.registerPhoneNumber({
			organizationId,
			phone: "+15550009999",
			providerPhoneNumberId: "999",
			providerAccountId: WABA_ID,
			accessToken: ACCESS_TOKEN,
		});
		const wrong = { organizationId, phoneNumberId: phoneNumber?.id ?? "" };
		const message = templateTo({ ...own, ...wrong }, person("3333"));
		const [id = ""] = await send(stage, message);
		const { admin } = stage.clients;
		await eventually(async () =>
			expect(
				(await admin.listPhoneNumbers({ organizationId })).phoneNumbers,
			).toMatchObject([
				{ status: "active" },
				{
					status: "stopped",
					stoppedReason: "provider error 100, subcode 33",
				},
			]),
		);
		const kept = await readMessage(stage, { ...own, ...wrong }, id);
		expect(kept.status).toBe("submitting");
	});
});
