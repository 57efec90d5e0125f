import { describe, expect, it } from "vitest";
import { readCallback } from "./read-callback.ts";

const RECEIVED = new Date("2026-03-01T00:00:00Z");
const OURS = "0190a5b2-7c1e-7000-8000-000000000001";

const read = (value: unknown) =>
	readCallback(Buffer.from(JSON.stringify(value)), RECEIVED);
const callback = (...changes: unknown[]) => ({
	object: "whatsapp_business_account",
	entry: [{ id: "waba", time: 1_772_300_000, changes }],
});
const messages = (value: object) => ({
	field: "messages",
	value: {
		messaging_product: "whatsapp",
		metadata: { phone_number_id: "pn" },
		...value,
	},
});
const delivered = {
	id: "wamid.1",
	status: "delivered",
	timestamp: "1772300001",
	recipient_id: "33612345678",
	biz_opaque_callback_data: OURS,
	pricing: { billable: true, pricing_model: "PMP", category: "utility" },
};

describe("readCallback", () => {
	it("reads a status with the echoed id and the category", () => {
		expect(read(callback(messages({ statuses: [delivered] })))).toEqual({
			items: [
				{
					kind: "status",
					providerPhoneNumberId: "pn",
					providerMessageId: "wamid.1",
					messageId: OURS,
					status: "delivered",
					at: new Date(1_772_300_001_000),
					errorCode: undefined,
					errorText: undefined,
					category: "utility",
				},
			],
			problems: [],
		});
	});

	it("reads the error of a failed status", () => {
		const errors = [{ code: 131_026, title: "Message undeliverable" }];
		const { items } = read(
			callback(
				messages({ statuses: [{ ...delivered, status: "failed", errors }] }),
			),
		);
		expect(items).toMatchObject([{ status: "failed", errorCode: 131_026 }]);
	});

	it("reads a message of a user by number, and of one who hides it", () => {
		const text = {
			id: "wamid.2",
			type: "text",
			timestamp: "1772300002",
			text: { body: "Hi" },
		};
		const { items } = read(
			callback(
				messages({
					contacts: [{ wa_id: "33612345678", user_id: "FR.1" }],
					messages: [{ ...text, from: "33612345678" }],
				}),
				messages({ contacts: [{ user_id: "FR.2" }], messages: [text] }),
			),
		);
		expect(items).toMatchObject([
			{ kind: "inbound", waId: "33612345678", userId: "FR.1" },
			{ kind: "inbound", waId: undefined, userId: "FR.2" },
		]);
	});

	it("reads a template's new status and new category", () => {
		const value = {
			message_template_name: "order",
			message_template_language: "fr",
		};
		const { items } = read(
			callback(
				{
					field: "message_template_status_update",
					value: { ...value, event: "PAUSED" },
				},
				{
					field: "template_category_update",
					value: { ...value, new_category: "MARKETING" },
				},
			),
		);
		expect(items).toMatchObject([
			{
				providerAccountId: "waba",
				name: "order",
				status: "paused",
				category: undefined,
			},
			{ language: "fr", status: undefined, category: "marketing" },
		]);
	});

	it("keeps the neighbours of bad items, whatever the bad ones are", () => {
		const bad = [
			null,
			7,
			"x",
			[],
			{},
			{ ...delivered, status: "warning" },
			{ ...delivered, id: "a\0" },
		];
		const { items, problems } = read({
			entry: [
				null,
				{ changes: 3 },
				...callback(
					{ field: "account_alerts", value: {} },
					{},
					messages({ metadata: 5 }),
					messages({ statuses: [...bad, delivered, ...bad], messages: bad }),
				).entry,
			],
		});
		expect(items).toMatchObject([{ providerMessageId: "wamid.1" }]);
		expect(problems).toHaveLength(5 + 3 * bad.length);
	});

	it.each(["", "{", "[]", "null", "\u00ff", "7"])(
		"never throws on the body %j",
		(body) => {
			const { items, problems } = readCallback(
				Buffer.from(body, "latin1"),
				RECEIVED,
			);
			expect(items).toEqual([]);
			expect(problems).toEqual(["not a callback"]);
		},
	);

	it.each(["", "abc", "-5", "1e300", null])(
		"does not believe the time %j",
		(timestamp) => {
			const { items } = read(
				callback(messages({ statuses: [{ ...delivered, timestamp }] })),
			);
			expect(items).toEqual([]);
		},
	);
});
