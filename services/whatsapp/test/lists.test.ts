import { randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { refusalOf } from "@airtower/platform/testing/refusals";
import {
	ListConversationsResponseSchema,
	ListMessagesResponseSchema,
	ListTemplatesResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import { toJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, templateTo, untilStatus } from "./support/messages.ts";
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

/** An ordinary number: none of the behaving ones. */
const phone = (index: number) => `+3361${String(2_005_000 + index)}`;

async function readAll(
	organizationId: string,
	limit: number,
	between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
	const seen: string[] = [];
	let after: { createdAt: NonNullable<unknown>; id: string } | undefined;
	for (;;) {
		const page = { limit, ...(after && { after }) };
		const response = await stage.clients.whatsapp.listMessages({
			organizationId,
			page,
		});
		seen.push(...response.messages.map((message) => message.id));
		if (response.next?.createdAt === undefined) return seen;
		after = { createdAt: response.next.createdAt, id: response.next.id };
		await between();
	}
}

describe("lists", () => {
	it("read page by page under concurrent inserts have every row that was there, once each", async () => {
		const organization = await stage.newOrganization();
		const { organizationId } = organization;
		const batch = (from: number) =>
			send(
				stage,
				...Array.from({ length: 40 }, (_, index) =>
					templateTo(organization, phone(from + index)),
				),
			);
		const before = [
			...(await batch(0)),
			...(await batch(40)),
			...(await batch(80)),
		];
		let from = 200;
		const seen = await readAll(organizationId, 7, () => {
			from += 40;
			return batch(from);
		});
		expect(new Set(seen).size).toBe(seen.length);
		expect(seen).toEqual(expect.arrayContaining(before));
	});

	it("filter by each field", async () => {
		const organization = await stage.newOrganization();
		const { organizationId, providerId } = organization;
		const start = new Date();
		const [id = ""] = await send(stage, templateTo(organization, phone(1)));
		const [failed = ""] = await send(
			stage,
			templateTo(organization, "+33612340002"),
		);
		await untilStatus(stage, organization, failed, "failed");
		await untilStatus(stage, organization, id, "read");
		await stage.api.receiveText({
			from: phone(2).slice(1),
			phoneNumberId: providerId,
		});
		await eventually(async () => expect((await list({})).length).toBe(3));
		async function list(filter: object): Promise<string[]> {
			const response = await stage.clients.whatsapp.listMessages({
				organizationId,
				page: { limit: 50 },
				...filter,
			});
			return response.messages.map((message) => message.status);
		}
		expect(await list({ status: "failed" })).toEqual(["failed"]);
		expect(await list({ billingCategory: "service" })).toEqual(["received"]);
		expect(await list({ templateName: "order_update" })).toEqual([
			"failed",
			"read",
		]);
		expect(await list({ recipient: phone(1) })).toEqual(["read"]);
		expect(await list({ dateFrom: timestampFromDate(start) })).toHaveLength(3);
		expect(await list({ dateTo: timestampFromDate(start) })).toEqual([]);
		expect(await list({ status: "nonsense" })).toEqual([]);
		const conversations = async (filter: object) => {
			const response = await stage.clients.whatsapp.listConversations({
				organizationId,
				page: { limit: 50 },
				...filter,
			});
			return response.conversations.map((one) => one.recipient);
		};
		expect(await conversations({})).toHaveLength(3);
		expect(await conversations({ status: "open" })).toEqual([phone(2)]);
		expect(await conversations({ status: "closed" })).toEqual([
			"+33612340002",
			phone(1),
		]);
		expect(await conversations({ recipient: phone(1) })).toEqual([phone(1)]);
		const templates = async (filter: object) => {
			const response = await stage.clients.whatsapp.listTemplates({
				organizationId,
				page: { limit: 50 },
				...filter,
			});
			return response.templates
				.map((one) => `${one.name} ${one.language}`)
				.sort();
		};
		expect(await templates({ category: "authentication" })).toEqual([
			"login_code en_US",
		]);
		expect(await templates({ status: "paused" })).toEqual(["old_notice en_US"]);
		expect(await templates({ name: "order_update" })).toEqual([
			"order_update en_US",
			"order_update fr",
		]);
	});

	it("filter by the number that was sent to, though the user is known by its current one", async () => {
		const organization = await stage.newOrganization();
		const { organizationId } = organization;
		const [id] = await send(stage, templateTo(organization, "+551187654321"));
		for (const recipient of ["+551187654321", "+5511987654321"]) {
			const query = { organizationId, recipient, page: { limit: 5 } };
			const { messages } = await stage.clients.whatsapp.listMessages(query);
			expect(messages).toMatchObject([{ id }]);
			const { conversations } =
				await stage.clients.whatsapp.listConversations(query);
			expect(conversations).toMatchObject([{ recipient: "+5511987654321" }]);
		}
	});

	it("refuse a malformed cursor", async () => {
		const { organizationId } = own;
		const after = { createdAt: timestampFromDate(new Date()), id: "nonsense" };
		const call = stage.clients.whatsapp.listMessages({
			organizationId,
			page: { limit: 5, after },
		});
		expect(await refusalOf(call)).toMatchObject({ reason: "invalid_cursor" });
	});

	it("hold nothing of the provider", async () => {
		const { organizationId } = own;
		const [id = ""] = await send(stage, templateTo(own, "+33612340002"));
		await untilStatus(stage, own, id, "failed");
		await stage.api.receiveText({
			from: phone(4).slice(1),
			phoneNumberId: own.providerId,
		});
		const page = { limit: 200 };
		const { whatsapp } = stage.clients;
		const text = [
			toJsonString(
				ListMessagesResponseSchema,
				await whatsapp.listMessages({ organizationId, page }),
			),
			toJsonString(
				ListTemplatesResponseSchema,
				await whatsapp.listTemplates({ organizationId, page }),
			),
			toJsonString(
				ListConversationsResponseSchema,
				await whatsapp.listConversations({ organizationId, page }),
			),
		].join();
		for (const secret of [
			"wamid",
			"131026",
			"Meta",
			WABA_ID,
			own.providerId,
			ACCESS_TOKEN,
			"1000000000000001",
		])
			expect(text).not.toContain(secret);
	});
});

it("a message's trace shows the provider's side, to an admin only", async () => {
	const [id = ""] = await send(stage, templateTo(own, "+33612340002"));
	await untilStatus(stage, own, id, "failed");
	const trace = await stage.clients.admin.traceWhatsAppMessage({
		messageId: id,
	});
	expect(trace.providerError).toContain("131026");
	expect(trace.providerMessageId).toMatch(/^wamid\./);
	const unknown = stage.clients.admin.traceWhatsAppMessage({
		messageId: randomUUID(),
	});
	expect(await refusalOf(unknown)).toMatchObject({ reason: "unknown_message" });
});
