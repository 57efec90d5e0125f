import { encodeGsm7 } from "@airtower/proto/rules/segments";
import { describe, expect, it } from "vitest";
import { joinParts } from "../../domain/inbound/join-parts.ts";
import { readTexts } from "./callback-texts.ts";
import type { InboundSpec } from "./description-shape.ts";
import { parseHttpRoute } from "./http-route.ts";

const SECRETS = {
	twilio: { account: "AC01", token: "auth-token" },
	vonage: { account: "key", secret: "secret", signature: "signature" },
	infobip: { apiKey: "key", callbackToken: "a-token-of-20-letters" },
};

function routeOf(preset: keyof typeof SECRETS) {
	return parseHttpRoute("web", {
		preset,
		address: "https://operator.example",
		callback: "https://sms.example/callbacks/sms/web",
		...SECRETS[preset],
	});
}

function readJson(
	preset: keyof typeof SECRETS,
	json: unknown,
	changes: Partial<InboundSpec> = {},
) {
	const route = routeOf(preset);
	const { inbound: spec } = route.description;
	if (spec === undefined) throw new Error("brings no texts");
	const inbound = { ...spec, ...changes };
	const callback = {
		method: "POST",
		query: "",
		headers: { "content-type": "application/json" },
		body: Buffer.from(JSON.stringify(json)),
	} as const;
	return readTexts(callback, route, inbound);
}

const vonage = {
	msisdn: "33612345678",
	to: "38999",
	messageId: "0A01",
	type: "text",
	text: "Yes",
};
const infobip = {
	messageId: "817790313235066447",
	from: "33612345678",
	to: "33700000001",
	text: "QUIZ Paris",
	cleanText: "Paris",
	smsCount: 2,
};

describe("a text", () => {
	it("is read from a query too", () => {
		const route = routeOf("vonage");
		const { inbound } = route.description;
		if (inbound === undefined) throw new Error("brings no texts");
		const query = new URLSearchParams(vonage).toString();
		const callback = { method: "GET", query, headers: {}, body: Buffer.of() };
		expect(readTexts({ ...callback, method: "GET" }, route, inbound)).toEqual({
			refusal: undefined,
			texts: [
				{
					route: "web",
					operatorAccount: "key",
					operatorMessageId: "0A01",
					sender: "+33612345678",
					recipient: "38999",
					charset: "gsm7",
					octets: encodeGsm7("Yes"),
					place: undefined,
					partCount: 1,
				},
			],
		});
	});

	it("says as the whole of it, and in how many parts, what the operator has joined", () => {
		const { texts } = readJson("infobip", { results: [infobip] });
		expect(texts).toMatchObject([
			{ octets: encodeGsm7("QUIZ Paris"), partCount: 2, place: undefined },
		]);
	});

	it.each([
		["text", "Yes", "gsm7"],
		["unicode", "Yes", "ucs2"],
		["text", "Да", "ucs2"],
		["another word", "Yes", "gsm7"],
	])("called %s that says %s is %s", (type, text, charset) => {
		const { texts } = readJson("vonage", { ...vonage, type, text });
		expect(texts).toMatchObject([{ charset }]);
	});

	it("in octets has its place by its user data header", () => {
		const { text: _, ...rest } = vonage;
		const { texts } = readJson("vonage", {
			...rest,
			type: "binary",
			data: "00FF80",
			udh: "0500032A0302",
		});
		expect(texts).toMatchObject([
			{
				charset: "binary",
				octets: Buffer.from([0, 255, 128]),
				place: { referenceBits: 8, reference: 42, total: 3, number: 2 },
			},
		]);
	});

	it.each([
		[8, "041f0438", "Пи"],
		["0", "1b65", "€"],
		["other", "1b65", "G2U="],
	])(
		"of an operator that gives octets and coding %s is %s: %s",
		(dcs, hex, body) => {
			const { texts } = readJson(
				"vonage",
				{ ...vonage, dcs, hex },
				{
					octets: "hex",
					encoding: "dcs",
					encodings: { "0": "gsm7", "8": "ucs2" },
				},
			);
			const set = new Map(texts.map((part) => [1, part]));
			expect(joinParts(set, 1).body).toBe(body);
		},
	);

	it("keeps a character that two parts share, whatever their reference looks like", () => {
		const parts = ["Привет \ud83d", "\ude42 пока"].map((text, index) => ({
			...vonage,
			type: "unicode",
			text,
			concat: "true",
			"concat-ref": "08B5",
			"concat-total": "2",
			"concat-part": String(index + 1),
		}));
		const read = parts.flatMap((one) => readJson("vonage", one).texts);
		const [first, second] = read.map(({ place }) => place);
		expect(second).toEqual({ ...first, number: 2 });
		const set = new Map(read.map((part, index) => [index + 1, part]));
		expect(joinParts(set, 2).body).toBe("Привет 🙂 пока");
	});

	it.each([
		{ "concat-total": "1", "concat-part": "1" },
		{ "concat-total": "2", "concat-part": "3" },
		{ "concat-total": "2.5", "concat-part": "1" },
		{ "concat-total": "256", "concat-part": "1" },
		{},
	])("with the parts %j is a whole one", (fields) => {
		const concat = { ...vonage, "concat-ref": "7", ...fields };
		expect(readJson("vonage", concat).texts).toMatchObject([
			{ place: undefined },
		]);
	});
});

describe("what cannot be read is named as the operator names it", () => {
	it.each([
		["infobip", "no object", "results", "required"],
		["infobip", { results: "none" }, "results", "required"],
		[
			"infobip",
			{ results: [{ ...infobip, from: " " }] },
			"results.0.from",
			"required",
		],
		[
			"infobip",
			{ results: [{ ...infobip, to: null }] },
			"results.0.to",
			"required",
		],
		["infobip", { results: [null] }, "results.0.from", "required"],
		["vonage", { ...vonage, text: ["Yes"] }, "text", "required"],
		["vonage", { ...vonage, data: "0" }, "data", "invalid_format"],
		["vonage", { ...vonage, udh: "xx" }, "udh", "invalid_format"],
		[
			"twilio",
			{ From: "+1", To: "+2", Body: "x".repeat(40_001) },
			"Body",
			"too_long",
		],
	] as const)("$0: $2 is $3", (preset, json, field, reason) => {
		const { texts, refusal } = readJson(preset, json);
		expect(texts).toEqual([]);
		expect(refusal).toMatchObject({ field, reason });
	});

	it("and the others of the callback are read", () => {
		const { messageId: _, ...withoutId } = infobip;
		const results = [infobip, { ...infobip, to: "" }, withoutId];
		const { texts, refusal } = readJson("infobip", { results });
		expect(texts.map(({ operatorMessageId }) => operatorMessageId)).toEqual([
			infobip.messageId,
			undefined,
		]);
		expect(refusal?.field).toBe("results.1.to");
	});
});
