import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { startRoute } from "./route.ts";

test.each([
	[
		"no esm_class, text only",
		{ short_message: Buffer.from("id:77 stat:DELIVRD err:000") },
		{ operatorMessageId: "77", state: "delivered" },
	],
	[
		"text in UCS-2",
		{
			esm_class: 4,
			data_coding: 8,
			short_message: Buffer.from("id:77 stat:EXPIRED", "utf16le").swap16(),
		},
		{ operatorMessageId: "77", state: "failed", reason: "expired" },
	],
	[
		"a user data header before the text",
		{
			esm_class: 0x44,
			short_message: Buffer.concat([
				Buffer.from([2, 0x70, 0]),
				Buffer.from("id:77 stat:DELIVRD"),
			]),
		},
		{ operatorMessageId: "77", state: "delivered" },
	],
	[
		"characters that GSM-7 would change",
		{ esm_class: 4, short_message: Buffer.from("id:a_b@c stat:DELIVRD") },
		{ operatorMessageId: "a_b@c", state: "delivered" },
	],
	[
		"TLVs against the text",
		{
			esm_class: 4,
			short_message: Buffer.from("id:1 stat:DELIVRD"),
			receipted_message_id: "77",
			message_state: 5,
			network_error_code: Buffer.from([3, 0, 1]),
		},
		{
			operatorMessageId: "77",
			state: "failed",
			reason: "unknown_subscriber",
			operatorError: "UNDELIV network:3 err:1",
		},
	],
	[
		"an intermediate state",
		{
			esm_class: 0x20,
			receipted_message_id: "77",
			message_state: 1,
		},
		{ operatorMessageId: "77", state: "intermediate" },
	],
])(
	"an operator's own receipt is understood: %s",
	async (_name, fields, receipt) => {
		const { receipts, smsc } = await startRoute();
		smsc.broadcast("deliver_sm", fields);
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject(receipt);
	},
);

test("a receipt may come as data_sm", async () => {
	const { receipts, smsc } = await startRoute();
	smsc.broadcast("data_sm", {
		esm_class: 4,
		receipted_message_id: "77",
		message_state: 2,
	});
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]).toMatchObject({ operatorMessageId: "77" });
});

test("what is kept of a receipt is without the text of the message", async () => {
	const { receipts, smsc } = await startRoute();
	const short_message = Buffer.from(
		"id:77 stat:DELIVRD err:000 text:secret code 123",
	);
	smsc.broadcast("deliver_sm", {
		esm_class: 4,
		short_message,
		message_state: 2,
	});
	await eventually(() => expect(receipts).toHaveLength(1));
	expect(receipts[0]?.raw).toBe("id:77 stat:DELIVRD err:000 message_state=2");
});

test.each([
	[
		"a receipt without an id",
		{ esm_class: 4, short_message: Buffer.from("stat:DELIVRD") },
		"without id or state",
	],
	[
		"a message from a phone",
		{ short_message: Buffer.from("private words") },
		"message to us dropped",
	],
])(
	"%s is responded to and logged, and stops nothing",
	async (_name, fields, words) => {
		const { submit, receipts, smsc, logs } = await startRoute();
		smsc.broadcast("deliver_sm", fields);
		await submit();
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(logs.join("")).toContain(words);
		expect(logs.join("")).not.toContain("private");
	},
);
