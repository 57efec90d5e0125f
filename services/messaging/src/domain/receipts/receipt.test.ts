import { describe, expect, test } from "vitest";
import { parseReceipt } from "./receipt.ts";
import {
	isReceipt,
	parseReceiptText,
	type ReceiptSource,
	type ReceiptWords,
} from "./receipt-meaning.ts";

const NO_WORDS: ReceiptWords = { states: new Map(), reasons: new Map() };

function parse(source: ReceiptSource, words: Partial<ReceiptWords> = {}) {
	return parseReceipt(source, { ...NO_WORDS, ...words });
}

interface GivenSource extends Partial<Omit<ReceiptSource, "fields">> {
	readonly text?: string;
}

const source = ({ text = "", ...given }: GivenSource): ReceiptSource => ({
	esmClass: 4,
	fields: parseReceiptText(text),
	...given,
});

describe("detection", () => {
	test.each([
		["esm_class 0x04", source({ esmClass: 0x04 }), true],
		["esm_class 0x44, with a header", source({ esmClass: 0x44 }), true],
		["an intermediate notification", source({ esmClass: 0x20 }), true],
		["a delivery acknowledgement of a phone", source({ esmClass: 8 }), false],
		[
			"the id TLV alone",
			source({ esmClass: 0, receiptedMessageId: "7" }),
			true,
		],
		[
			"id and stat in the text alone",
			source({ esmClass: 0, text: "id:7 stat:DELIVRD" }),
			true,
		],
		[
			"a message that talks of an id",
			source({ esmClass: 0, text: "my id:7" }),
			false,
		],
		["a message", source({ esmClass: 0, text: "Hello" }), false],
	])("%s: %j", (_name, given, expected) => {
		expect(isReceipt(given)).toBe(expected);
	});
});

test.each([
	["DELIVRD", "delivered", undefined],
	["ACCEPTD", "intermediate", undefined],
	["ENROUTE", "intermediate", undefined],
	["ACKED", "intermediate", undefined],
	["BUFFRED", "intermediate", undefined],
	["BUFFERD", "intermediate", undefined],
	["UNDELIV", "failed", "undeliverable"],
	["EXPIRED", "failed", "expired"],
	["DELETED", "failed", "operator_error"],
	["REJECTD", "failed", "rejected"],
	["REJECTED", "failed", "rejected"],
	["UNKNOWN", "failed", "operator_error"],
	["FAILED", "failed", "undeliverable"],
	["WHATEVER", "intermediate", undefined],
])("stat %s is %s, reason %s", (stat, state, reason) => {
	const receipt = parse(source({ text: `id:7 stat:${stat} err:001` }));
	expect(receipt).toEqual({
		operatorMessageId: "7",
		state,
		operatorError: `${stat} err:001`,
		...(reason && { reason }),
	});
});

test.each([
	[1, "intermediate"],
	[2, "delivered"],
	[3, "failed"],
	[4, "failed"],
	[5, "failed"],
	[6, "intermediate"],
	[7, "failed"],
	[8, "failed"],
])("message_state %i is %s", (messageState, state) => {
	const receipt = parse(source({ receiptedMessageId: "7", messageState }));
	expect(receipt?.state).toBe(state);
});

test("TLVs win over the text", () => {
	const receipt = parse(
		source({
			text: "id:111 done date:2601021531 stat:DELIVRD err:000",
			receiptedMessageId: "222\0",
			messageState: 5,
			networkError: Uint8Array.of(3, 0, 27),
		}),
	);
	expect(receipt).toEqual({
		operatorMessageId: "222",
		state: "failed",
		reason: "undeliverable",
		operatorError: "UNDELIV network:3 err:27",
	});
});

test("the text fills in what the TLVs leave out", () => {
	const text = "id:7 stat:EXPIRED";
	expect(parse(source({ text, receiptedMessageId: "" }))).toEqual({
		operatorMessageId: "7",
		state: "failed",
		reason: "expired",
		operatorError: "EXPIRED",
	});
	expect(parse(source({ text, messageState: 0 }))?.operatorError).toBe(
		"EXPIRED",
	);
});

test.each([
	[Uint8Array.of(3, 0, 1), "unknown_subscriber"],
	[Uint8Array.of(3, 0, 13), "blocked"],
	[Uint8Array.of(1, 0, 1), "undeliverable"],
	[Uint8Array.of(3), "undeliverable"],
])("network error %j of a failure is %s", (networkError, reason) => {
	const receipt = parse(
		source({ receiptedMessageId: "7", messageState: 5, networkError }),
	);
	expect(receipt?.reason).toBe(reason);
});

test("a network error never makes a delivered message fail", () => {
	const receipt = parse(
		source({
			receiptedMessageId: "7",
			messageState: 2,
			networkError: Uint8Array.of(3, 0, 1),
		}),
	);
	expect(receipt?.state).toBe("delivered");
	expect(receipt).not.toHaveProperty("reason");
});

test.each([
	["no id", source({ text: "stat:DELIVRD" })],
	["no state", source({ text: "id:7 err:000" })],
	["nothing", source({})],
])("a receipt with %s is not guessed at", (_name, given) => {
	expect(parse(given)).toBeUndefined();
});

test("an operator's own words and codes come before the standard's", () => {
	const words: Partial<ReceiptWords> = {
		states: new Map([
			["ACCEPTD", { state: "delivered" }],
			["UNDELIV", { state: "intermediate" }],
			["BARRED", { state: "failed", reason: "blocked" }],
		]),
		reasons: new Map([
			["12", "unknown_subscriber"],
			["1", "rejected"],
		]),
	};
	const meaning = (text: string, more: GivenSource = {}) => {
		const parsed = parse(source({ text, ...more }), words);
		return parsed?.reason ?? parsed?.state;
	};
	expect(meaning("id:7 stat:ACCEPTD")).toBe("delivered");
	expect(meaning("id:7", { messageState: 6 })).toBe("delivered");
	expect(meaning("id:7 stat:UNDELIV err:012")).toBe("intermediate");
	expect(meaning("id:7 stat:barred err:999")).toBe("blocked");
	expect(meaning("id:7 stat:REJECTD err:012")).toBe("unknown_subscriber");
	expect(meaning("id:7 stat:REJECTD err:013")).toBe("rejected");
	expect(meaning("id:7 stat:DELIVRD err:012")).toBe("delivered");
	const networkError = Buffer.from([3, 0, 1]);
	expect(meaning("id:7 stat:EXPIRED", { networkError })).toBe("rejected");
});
