import { randomUUID } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, textTo } from "./support/messages.ts";
import {
	type Stage,
	startStage,
	type TestOrganization,
} from "./support/stage.ts";

let stage: Stage;
let own: TestOrganization;

beforeAll(async () => {
	stage = await startStage();
	own = await stage.newOrganization();
});
afterAll(() => stage.close());

async function conversationsWith(recipient: string) {
	const { conversations } = await stage.clients.whatsapp.listConversations({
		organizationId: own.organizationId,
		recipient,
		page: { limit: 5 },
	});
	return conversations;
}

describe("a message of a user", () => {
	it("is stored once, however often it comes", async () => {
		const id = `wamid.${randomUUID()}`;
		const from = "33611223344";
		for (let times = 0; times < 3; times++)
			await stage.api.receiveText({ id, from, phoneNumberId: own.providerId });
		await eventually(async () => {
			const waiting = await stage.database.sql`
				select from callbacks where state = 'stored'
			`;
			expect(waiting).toHaveLength(0);
		});
		const { messages } = await stage.clients.whatsapp.listMessages({
			organizationId: own.organizationId,
			recipient: `+${from}`,
			page: { limit: 10 },
		});
		expect(messages).toMatchObject([
			{
				direction: "inbound",
				status: "received",
				type: "text",
				billingCategory: "service",
			},
		]);
	});

	it("of a Mexican mobile, which WhatsApp names by its old number, opens the window of its current number", async () => {
		const to = "+525512345678";
		await stage.api.receiveText({
			from: "5215512345678",
			phoneNumberId: own.providerId,
		});
		await eventually(async () =>
			expect(await conversationsWith(to)).toMatchObject([{ status: "open" }]),
		);
	});

	it("of a Brazilian mobile without its ninth digit opens the window of the number in both forms", async () => {
		await stage.api.receiveText({
			from: "551187654321",
			phoneNumberId: own.providerId,
		});
		await eventually(() => send(stage, textTo(own, "+5511987654321")));
		await send(stage, textTo(own, "+551187654321"));
		const found = await conversationsWith("+5511987654321");
		expect(found).toMatchObject([{ status: "open" }]);
	});

	it("without a number opens a conversation by the user's id, which the number later joins", async () => {
		const userId = `FR.${randomUUID()}`;
		const from = "33655443322";
		const phoneNumberId = own.providerId;
		const listed = async () => {
			const { conversations } = await stage.clients.whatsapp.listConversations({
				organizationId: own.organizationId,
				page: { limit: 1 },
			});
			return conversations;
		};
		await stage.api.receiveText({ userId, phoneNumberId });
		await eventually(async () =>
			expect(await listed()).toMatchObject([{ recipient: "", status: "open" }]),
		);
		const [hidden] = await listed();
		await stage.api.receiveText({ userId, from, phoneNumberId });
		await eventually(async () =>
			expect(await listed()).toMatchObject([
				{ id: hidden?.id, recipient: `+${from}` },
			]),
		);
	});
});
