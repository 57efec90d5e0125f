import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { parseSmppRoute } from "../../src/operators/route/smpp-route.ts";
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

test.each([
	["marked", { esm_class: 4 }, false, ""],
	[
		"not marked, of a state that the route knows",
		{},
		false,
		"&receiptstates=NOT_DELIVERED:intermediate",
	],
	["in UCS-2, declared as ASCII", { esm_class: 4 }, true, ""],
])(
	"a receipt of the route's own form, %s, is read by it, and only that is kept of it",
	async (_name, fields, isUcs2, states) => {
		const { receipts, smsc } = await startRoute({
			query: `receipt=Message {id} is {stat}, code {err}: *${states}`,
		});
		const text = "Message a-77 is NOT DELIVERED, code 012: secret 123";
		const octets = Buffer.from(text, isUcs2 ? "utf16le" : "latin1");
		smsc.broadcast("deliver_sm", {
			...fields,
			short_message: isUcs2 ? octets.swap16() : octets,
		});
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(receipts[0]).toMatchObject({
			operatorMessageId: "a-77",
			state: "intermediate",
			raw: "id:a-77 stat:NOT_DELIVERED err:012",
		});
	},
);

test("a phone's text that has the route's own form of receipts stays a text, unless it names a state", async () => {
	const { receipts, messages, smsc } = await startRoute({
		query: "receipt={id} {stat}&receiptstates=HELD:intermediate",
	});
	for (const text of ["STOP please", "see you", "77 HELD", "78 DELIVRD"])
		smsc.broadcast("deliver_sm", { short_message: Buffer.from(text) });
	await eventually(() => expect([...receipts, ...messages]).toHaveLength(4));
	expect(messages.map(({ octets }) => octets.toString())).toEqual([
		"STOP please",
		"see you",
	]);
	expect(receipts.map(({ operatorMessageId }) => operatorMessageId)).toEqual([
		"77",
		"78",
	]);
});

test("an operator's own states and error codes are read as the route says, by a connection that stays", async () => {
	const { operator, receipts, smsc } = await startRoute();
	const states = "receiptstates=ACCEPTED:delivered,NOT_DELIVERED:undeliverable";
	const { port } = smsc;
	operator.change(
		parseSmppRoute(
			`smpp://airtower:airtower@127.0.0.1:${port}?${states}&reasons=012:unknown_subscriber&receipt={id}|{stat}|{err}`,
		),
	);
	for (const text of [
		"1|ACCEPTED|000",
		"2|NOT DELIVERED|013",
		"3|NOT DELIVERED|12",
		"id:4 stat:DELIVRD err:012",
	])
		smsc.broadcast("deliver_sm", {
			esm_class: 4,
			short_message: Buffer.from(text),
		});
	await eventually(() => expect(receipts).toHaveLength(4));
	expect(
		receipts.map(({ state, reason }) => [state, reason].filter(Boolean)),
	).toEqual([
		["delivered"],
		["failed", "undeliverable"],
		["failed", "unknown_subscriber"],
		["delivered"],
	]);
	expect(smsc.stats).toMatchObject({ binds: 1, unbinds: 0 });
});

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
		"a receipt of another form, without its number and its code,",
		{
			esm_class: 4,
			short_message: Buffer.from("0A1|+33612345678|DELIVERED|code 48213"),
		},
		"#A#|+###########|DELIVERED|code #####",
	],
])(
	"%s is responded to and logged, and stops nothing",
	async (_name, fields, words) => {
		const { submit, receipts, smsc, logs } = await startRoute();
		smsc.broadcast("deliver_sm", fields);
		await submit();
		await eventually(() => expect(receipts).toHaveLength(1));
		expect(logs.join("")).toContain(words);
		expect(logs.join("")).not.toMatch(/private|33612345678|48213/);
	},
);
