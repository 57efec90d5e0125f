import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	insertSender,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
});

afterAll(() => messaging.close());

test("a sender is named by id, by name, by both or not at all", async () => {
	const organization = await organizationWith(messaging, 9);
	const id = await insertSender(messaging.sql, organization, { value: "Shop" });
	const other = await insertSender(messaging.sql, organization, {
		value: "Depot",
	});
	const results = await send(messaging, [
		messageTo(organization),
		messageTo(organization, { senderId: id.toUpperCase() }),
		messageTo(organization, { senderName: "Shop" }),
		messageTo(organization, { senderId: id, senderName: "Shop" }),
		messageTo(organization, { senderId: other, senderName: "Shop" }),
		messageTo(organization, { senderName: "shop" }),
	]);
	expect(results.map(reasonOf)).toEqual([
		"accepted",
		"accepted",
		"accepted",
		"accepted",
		"unknown_sender",
		"unknown_sender",
	]);
	const rows = await messaging.sql<{ sender: string }[]>`
		select sender_value as sender
		from messages
		where organization_id = ${organization}
		order by id
	`;
	expect(rows.map((row) => row.sender)).toEqual([
		"Airtower",
		"Shop",
		"Shop",
		"Shop",
	]);
});

test("another organization's sender is unknown", async () => {
	const organization = await organizationWith(messaging, 1);
	const stranger = await organizationWith(messaging, 1);
	const id = await insertSender(messaging.sql, stranger, { value: "Secret" });
	const results = await send(messaging, [
		messageTo(organization, { senderId: id }),
		messageTo(organization, { senderName: "Secret" }),
	]);
	expect(results.map(reasonOf)).toEqual(["unknown_sender", "unknown_sender"]);
});

test("without a default sender one must be named", async () => {
	const organization = uuidv7();
	messaging.ledger.balances.set(organization, 1);
	const [result] = await send(messaging, [messageTo(organization)]);
	expect(reasonOf(result)).toBe("sender_required");
});

test.each(["pending", "rejected", "suspended"] as const)(
	"a %s sender may not send, by name or as the default",
	async (status) => {
		const organization = uuidv7();
		messaging.ledger.balances.set(organization, 2);
		await insertSender(messaging.sql, organization, {
			value: "Shop",
			status,
			isDefault: true,
		});
		const results = await send(messaging, [
			messageTo(organization, { senderName: "Shop" }),
			messageTo(organization),
		]);
		expect(results.map(reasonOf)).toEqual([
			"sender_not_approved",
			"sender_not_approved",
		]);
	},
);
