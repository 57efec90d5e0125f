import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reasonsOf, send, textTo, untilStatus } from "./support/messages.ts";
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

describe("a text", () => {
	it("is refused outside the window, and goes out inside it", async () => {
		const user = "+33610903333";
		const reply = textTo(own, user);
		const refuse = async () =>
			reasonsOf(
				(
					await stage.clients.whatsapp.sendWhatsAppMessages({
						messages: [reply],
					})
				).results,
			);
		expect(await refuse()).toEqual(["service_window_closed to"]);
		await stage.api.receiveText({
			from: user.slice(1),
			phoneNumberId: own.providerId,
		});
		const id = await eventually(
			async () => (await send(stage, reply))[0] ?? "",
		);
		expect(await untilStatus(stage, own, id, "read")).toMatchObject({
			type: "text",
			billingCategory: "service",
		});
	});

	it("is refused again once the window counted from the user's own time is over", async () => {
		const user = "+33610903334";
		const dayAgo = Math.floor(Date.now() / 1_000) - 24 * 3_600;
		const listed = () =>
			stage.clients.whatsapp.listConversations({
				organizationId: own.organizationId,
				recipient: user,
				page: { limit: 10 },
			});
		await stage.api.receiveText({
			from: user.slice(1),
			phoneNumberId: own.providerId,
			timestamp: dayAgo - 5,
		});
		await eventually(async () =>
			expect((await listed()).conversations).toMatchObject([
				{ status: "closed" },
			]),
		);
		const { results } = await stage.clients.whatsapp.sendWhatsAppMessages({
			messages: [textTo(own, user)],
		});
		expect(reasonsOf(results)).toEqual(["service_window_closed to"]);
		await stage.api.receiveText({
			from: user.slice(1),
			phoneNumberId: own.providerId,
			timestamp: dayAgo + 600,
		});
		await eventually(async () =>
			expect((await listed()).conversations).toMatchObject([
				{ status: "open" },
			]),
		);
		const { conversations } = await listed();
		expect(Number(conversations[0]?.windowExpiresAt?.seconds)).toBe(
			dayAgo + 600 + 24 * 3_600,
		);
		expect(Number(conversations[0]?.windowOpenedAt?.seconds)).toBe(dayAgo - 5);
	});
});

it("a message that is dated in the future opens no window beyond 24 hours from now", async () => {
	const from = "33610903335";
	const nowS = Math.floor(Date.now() / 1_000);
	await stage.api.receiveText({
		from,
		phoneNumberId: own.providerId,
		timestamp: nowS + 3 * 24 * 3_600,
	});
	const conversation = await eventually(async () => {
		const { conversations } = await stage.clients.whatsapp.listConversations({
			organizationId: own.organizationId,
			recipient: `+${from}`,
			page: { limit: 1 },
		});
		const [found] = conversations;
		expect(found?.status).toBe("open");
		return found;
	});
	const day = 24 * 3_600;
	const expiresS = Number(conversation?.windowExpiresAt?.seconds);
	expect(expiresS).toBeGreaterThanOrEqual(nowS + day - 1);
	expect(expiresS).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + day);
});

it("a list tells a window that has just closed as closed, before and after its mark is cleared", async () => {
	const organization = await stage.newOrganization();
	const { organizationId, providerId } = organization;
	await stage.api.receiveText({
		from: "33612005003",
		phoneNumberId: providerId,
	});
	const count = async (status: string) => {
		const response = await stage.clients.whatsapp.listConversations({
			organizationId,
			status,
			page: { limit: 5 },
		});
		return response.conversations.length;
	};
	await eventually(async () => expect(await count("open")).toBe(1));
	const { sql } = stage.database;
	await sql`
		update conversations set window_expires_at = now()
		where organization_id = ${organizationId}
	`;
	expect([await count("open"), await count("closed"), await count("")]).toEqual(
		[0, 1, 1],
	);
	await sql`
		update conversations set maybe_open = false
		where organization_id = ${organizationId}
	`;
	expect([await count("open"), await count("closed"), await count("")]).toEqual(
		[0, 1, 1],
	);
});
