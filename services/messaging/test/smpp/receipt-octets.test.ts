import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import {
	bindThen,
	DELIVER,
	pdu,
	responseTo,
	SUBMIT,
	startRawServer,
} from "./raw-server.ts";
import { bound, matches, outgoing } from "./route.ts";

const ID = "a1b2c3d4";
const MESSAGE_STATE = tlv(0x0427, "\x02");

/** A TLV by hand, its length that of the value. */
function tlv(id: number, value: string): string {
	const header = Buffer.alloc(4);
	header.writeUInt16BE(id, 0);
	header.writeUInt16BE(value.length, 2);
	return header.toString("latin1") + value;
}

/** The body of a receipt's deliver_sm by hand (SMPP 3.4, 4.6.1), octets as characters of Latin-1. */
function receiptBody(text: string, ...tlvs: string[]): string {
	return bodyOf("\0", text, ...tlvs);
}

/** The same with a data_coding. */
function bodyOf(coding: string, text: string, ...tlvs: string[]): string {
	const source = "\x01\x0133612349999\0";
	const destination = "\x05\0Airtower\0";
	const receipt = `\x04\0\0\0\0\0\0${coding}\0`;
	const length = String.fromCharCode(text.length);
	return `\0${source}${destination}${receipt}${length}${text}${tlvs.join("")}`;
}

/** An operator that takes every message as `ID`, then sends this receipt of it; what the route makes of both. */
async function partAndReceipt(body: string, id = ID, query = "") {
	const { operator, receipts } = await startRawServer(
		bindThen(({ id: command, sequence, socket }) => {
			if (command !== SUBMIT) return;
			socket.write(pdu(responseTo(SUBMIT), 0, sequence, `${id}\0`));
			socket.write(pdu(DELIVER, 0, 1, body));
		}),
		{ query },
	);
	await bound(operator);
	const [part] = (await operator.submit(outgoing())).parts;
	const receipt = await eventually(() => {
		expect(receipts).toHaveLength(1);
		return receipts[0];
	});
	return { part, receipt };
}

test.each([
	["without a NUL, another TLV behind it", [tlv(0x001e, ID), MESSAGE_STATE]],
	["without a NUL, at the end", [MESSAGE_STATE, tlv(0x001e, ID)]],
	["with a NUL", [tlv(0x001e, `${ID}\0`), MESSAGE_STATE]],
	["padded with NULs", [tlv(0x001e, ID.padEnd(65, "\0")), MESSAGE_STATE]],
	[
		"cut off by the end of the PDU",
		[MESSAGE_STATE, tlv(0x001e, `${ID}\0`).replace("\x09", "\x41")],
	],
])("a receipted_message_id %s is the id of its part", async (_name, tlvs) => {
	const { part, receipt } = await partAndReceipt(receiptBody("", ...tlvs));
	expect(receipt).toMatchObject({ operatorMessageId: ID, state: "delivered" });
	expect(matches(receipt, part)).toBe(true);
});

test("an id of 3,000 characters is that of its part, under a key that can be stored", async () => {
	const id = "c0ffee".repeat(500);
	const body = receiptBody("", tlv(0x001e, `${id}\0`), MESSAGE_STATE);
	const { part, receipt } = await partAndReceipt(body, id);
	expect(receipt?.operatorMessageId).toBe(id);
	expect(matches(receipt, part)).toBe(true);
	expect(Object(part).storeKey.length).toBeLessThan(100);
});

test.each([
	["none, another TLV behind it: the text tells", "", "delivered"],
	["two", "\0\x05", "failed"],
	["four", "\0\0\0\x05", "failed"],
	["too many: the text tells", "\0\0\0\0\0\0\x05", "delivered"],
])("a message_state of octets: %s", async (_name, value, state) => {
	const { receipt } = await partAndReceipt(
		receiptBody(
			`id:${ID} stat:DELIVRD`,
			tlv(0x0427, value),
			tlv(0x0423, "\x03\0\0"),
		),
	);
	expect(receipt).toMatchObject({ operatorMessageId: ID, state });
});

test.each([
	["too short, another TLV behind it", tlv(0x0423, "\x03"), "undeliverable"],
	[
		"longer than the standard's",
		tlv(0x0423, "\x03\0\x01\0"),
		"unknown_subscriber",
	],
])("a network_error_code that is %s", async (_name, networkError, reason) => {
	const { receipt } = await partAndReceipt(
		receiptBody("", tlv(0x001e, ID), networkError, tlv(0x0427, "\x05")),
	);
	expect(receipt).toMatchObject({ state: "failed", reason });
});

test.each([
	["at its end", `id:${ID} stat:DELIVRD\0`],
	["after every field", `id:${ID}\0 stat:DELIVRD\0 err:000\0`],
	["in place of blanks", `id:${ID}\0stat:DELIVRD\0err:000`],
])("a receipt whose text has NULs %s is final", async (_name, text) => {
	const { part, receipt } = await partAndReceipt(receiptBody(text));
	expect(receipt).toMatchObject({ operatorMessageId: ID, state: "delivered" });
	expect(receipt?.operatorError).toMatch(/^DELIVRD( err:000)?$/);
	expect(matches(receipt, part)).toBe(true);
});

test.each([
	["ASCII under the code of UCS-2", "\x08", "latin1"],
	["UTF-16LE under the code of UCS-2", "\x08", "utf16le"],
	["UTF-16LE under another code", "\x18", "utf16le"],
] as const)("a receipt in %s is read", async (_name, coding, encoding) => {
	const octets = Buffer.from(`id:${ID} stat:DELIVRD`, encoding);
	const { part, receipt } = await partAndReceipt(
		bodyOf(coding, octets.toString("latin1")),
	);
	expect(receipt).toMatchObject({ operatorMessageId: ID, state: "delivered" });
	expect(matches(receipt, part)).toBe(true);
});

test.each([
	["beside the text's", "id:458768 stat:DELIVRD"],
	["alone", ""],
])(
	"of an operator whose receipts write decimal ids a TLV may have the response's form, %s",
	async (_name, text) => {
		const { part, receipt } = await partAndReceipt(
			receiptBody(text, tlv(0x001e, "70010\0"), MESSAGE_STATE),
			"70010",
			"ids=hex-dec",
		);
		expect(matches(receipt, part)).toBe(true);
		expect(receipt?.numberTails).toEqual(["2349999"]);
	},
);

test("of an operator whose receipts name other numbers than the recipient's none is looked at", async () => {
	const { part, receipt } = await partAndReceipt(
		receiptBody(`id:${ID} stat:DELIVRD`),
		ID,
		"receipts=unnamed",
	);
	expect(matches(receipt, part)).toBe(true);
	expect(receipt).toMatchObject({ numberTails: [], addresses: [] });
});

test("a receipt of the most octets that a message_payload may have is read", async () => {
	const text = `id:${ID} stat:DELIVRD text:`.padEnd(65_535, "x");
	const { receipt } = await partAndReceipt(receiptBody("", tlv(0x0424, text)));
	expect(receipt).toMatchObject({ operatorMessageId: ID, state: "delivered" });
});

test("a receipt that ends within its mandatory parameters is refused as such", async () => {
	const responses: Buffer[] = [];
	const { operator } = await startRawServer((socket) => {
		bindThen(({ id, sequence, status }) => {
			if (id === responseTo(DELIVER)) responses.push(pdu(id, status, sequence));
		})(socket);
		setTimeout(() => socket.write(pdu(DELIVER, 0, 7, "\0\x01")), 50);
	});
	await bound(operator);
	await eventually(() =>
		expect(responses).toEqual([pdu(responseTo(DELIVER), 0x02, 7)]),
	);
});
