import { describe, expect, it } from "vitest";
import { readReceipts } from "./callback-receipts.ts";
import { readResponse } from "./http-response.ts";
import { parseHttpRoute } from "./http-route.ts";
import { presets } from "./presets/presets.ts";

function read(preset: string, status: number, body: unknown) {
	const description = presets[preset];
	if (description === undefined) throw new Error("no such preset");
	const text = typeof body === "string" ? body : JSON.stringify(body);
	const response = { status, body: text, retryAfterMs: undefined };
	return readResponse(description, response, ["+33612345678"])[0];
}

describe("Twilio's responses", () => {
	const error = (code: number) => ({ code, message: "", more_info: "" });

	it("a 201 with its sid is accepted", () => {
		expect(read("twilio", 201, { sid: "SM1", status: "queued" })).toEqual([
			{ kind: "accepted", operatorMessageId: "SM1", storeKey: "SM1" },
		]);
	});

	it.each<[number, unknown, object]>([
		[
			400,
			error(21_610),
			{ kind: "refused", permanent: true, reason: "blocked" },
		],
		[400, error(21_211), { permanent: true, reason: "unknown_subscriber" }],
		[400, error(21_602), { permanent: true, reason: "rejected" }],
		[
			429,
			error(20_429),
			{ kind: "throttled", operatorError: "HTTP 429 20429" },
		],
		[429, "busy", { kind: "throttled", operatorError: "HTTP 429" }],
		[401, error(20_003), { kind: "account" }],
		[404, error(20_404), { kind: "account" }],
		[302, "", { kind: "account" }],
		[503, "", { kind: "refused", permanent: false }],
		[500, error(20_500), { kind: "unknown" }],
		[504, "<html>", { kind: "unknown" }],
		[201, "{}", { kind: "unknown" }],
		[200, "[", { kind: "unknown" }],
	])("%i %j", (status, body, expected) => {
		expect(read("twilio", status, body)).toMatchObject([expected]);
	});
});

describe("Vonage's responses", () => {
	const ok = (id: string) => ({ "message-id": id, status: "0" });
	const refused = (status: string) => ({ status, "error-text": "" });

	it("each segment has its id", () => {
		const body = { "message-count": "2", messages: [ok("A1"), ok("A2")] };
		expect(read("vonage", 200, body)).toEqual([
			{ kind: "accepted", operatorMessageId: "A1", storeKey: "A1" },
			{ kind: "accepted", operatorMessageId: "A2", storeKey: "A2" },
		]);
	});

	it.each<[string, object]>([
		["1", { kind: "throttled", operatorError: "HTTP 200 1" }],
		["4", { kind: "account" }],
		["5", { kind: "refused", permanent: false }],
		["7", { kind: "refused", permanent: true, reason: "blocked" }],
		["9", { kind: "account" }],
		["15", { kind: "refused", permanent: true, reason: "rejected" }],
	])("status %s", (status, expected) => {
		const body = { "message-count": "1", messages: [refused(status)] };
		expect(read("vonage", 200, body)).toMatchObject([expected]);
	});

	it("a 200 that says nothing may mean either", () => {
		expect(read("vonage", 200, { messages: [] })).toMatchObject([
			{ kind: "unknown" },
		]);
	});
});

describe("Infobip's responses", () => {
	const status = (groupName: string, name: string) => ({
		messages: [{ messageId: "m-1", status: { groupName, name } }],
	});

	it.each<[number, unknown, object]>([
		[200, status("PENDING", "PENDING_ACCEPTED"), { operatorMessageId: "m-1" }],
		[200, status("REJECTED", "REJECTED_NETWORK"), { permanent: true }],
		[200, status("REJECTED", "REJECTED_SYSTEM_ERROR"), { permanent: false }],
		[
			200,
			status("REJECTED", "REJECTED_NOT_ENOUGH_CREDITS"),
			{ kind: "account" },
		],
		[401, { requestError: {} }, { kind: "account" }],
		[400, { requestError: {} }, { kind: "refused", permanent: true }],
		[429, { requestError: {} }, { kind: "throttled" }],
	])("%i %j", (code, body, expected) => {
		expect(read("infobip", code, body)).toMatchObject([expected]);
	});
});

it("an id that is a number of 64 bits keeps its digits, in the response and in the receipt", () => {
	const id = "9308878062554710045";
	const ok = `{"message-id":${id},"status":"0"}`;
	const body = `{"message-count":1,"messages":[${ok}]}`;
	expect(read("vonage", 200, body)).toEqual([
		{ kind: "accepted", operatorMessageId: id, storeKey: id },
	]);
	const route = parseHttpRoute("vonage", {
		preset: "vonage",
		account: "abcd1234",
		secret: "s3cr3t",
		signature: "0123456789abcdef",
		callback: "https://sms.example/callbacks/sms/vonage",
	});
	const receipt = `{"messageId":${id},"status":"delivered"}`;
	const headers = { "content-type": "application/json" };
	const callback = { method: "POST", query: "", headers } as const;
	expect(
		readReceipts({ ...callback, body: Buffer.from(receipt) }, route).receipts,
	).toMatchObject([{ operatorMessageId: id, matchKeys: [id] }]);
});

it("a byte order mark before a document says nothing", () => {
	const ok = `\u{FEFF}${JSON.stringify({ sid: "SM1", status: "queued" })}`;
	expect(read("twilio", 201, ok)).toMatchObject([{ kind: "accepted" }]);
});

it.each([["Delivered"], ["delivered"], ["DELIVERED"]])(
	"a status is what the description names in any case: %s",
	(word) => {
		const description = JSON.stringify({
			send: { method: "POST", path: "/send", form: { to: "{to}" } },
			response: { id: "id" },
			callback: {
				id: "id",
				status: "state",
				states: { [word]: "delivered" },
				verify: {
					kind: "secret",
					in: "header",
					name: "x-secret",
					value: "a-long-secret",
				},
			},
		});
		const address = "https://sms.example";
		const settings = { address, callback: address, description };
		const callback = {
			method: "GET",
			query: "id=1&state=DeliVered",
			headers: {},
			body: Buffer.alloc(0),
		} as const;
		const route = parseHttpRoute("own", settings);
		expect(readReceipts(callback, route).receipts).toMatchObject([
			{ state: "delivered" },
		]);
	},
);
