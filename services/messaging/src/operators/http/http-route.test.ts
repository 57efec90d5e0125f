import { describe, expect, it } from "vitest";
import { BadRoute } from "../route/bad-route.ts";
import { inboundUrlOf, parseHttpRoute, secretSettings } from "./http-route.ts";
import { twilio } from "./presets/twilio.ts";

const TWILIO = {
	preset: "twilio",
	account: "AC123",
	token: "0123456789abcdef",
	callback: "https://sms.example/callbacks/sms/twilio",
};

/** What is refused, without the values that it was refused for. */
function refusalOf(settings: Record<string, string>): BadRoute {
	try {
		parseHttpRoute("route", settings);
	} catch (error) {
		if (error instanceof BadRoute) return error;
		throw error;
	}
	throw new Error("was not refused");
}

function described(change: object): Record<string, string> {
	const { preset: _, ...settings } = TWILIO;
	return { ...settings, description: JSON.stringify({ ...twilio, ...change }) };
}

it("a preset and its settings are a route", () => {
	const route = parseHttpRoute("route", { ...TWILIO, rate: "10" });
	expect(route).toMatchObject({
		code: "route",
		account: "AC123",
		binds: 8,
		rate: 10,
		timeoutMs: 30_000,
	});
	expect(route.address.href).toBe("https://api.twilio.com/");
});

it("options that every kind of route has are read", () => {
	expect(parseHttpRoute("route", TWILIO)).toMatchObject({
		unknownPolicy: "setting",
		cost: undefined,
		senderRate: undefined,
	});
	const options = { unknown: "hold", cost: "0.05", currency: "USD" };
	const all = { ...TWILIO, ...options, senderrate: "2" };
	expect(parseHttpRoute("route", all)).toMatchObject({
		unknownPolicy: "hold",
		cost: { amount: 0.05, currency: "USD" },
		senderRate: 2,
	});
});

it("a description that is given is one as a preset is", () => {
	expect(parseHttpRoute("route", described({})).description).toEqual(
		parseHttpRoute("route", TWILIO).description,
	);
});

it("secrets are known by their names", () => {
	expect([...secretSettings(TWILIO)]).toEqual(["token"]);
	expect([...secretSettings(described({}))]).toEqual(["token"]);
});

it("texts come to the callback's URL and /inbound, where the description has a way", () => {
	const url = "https://sms.example/callbacks/sms/twilio/inbound";
	expect(inboundUrlOf(TWILIO)).toBe(url);
	expect(inboundUrlOf({ ...TWILIO, callback: `${TWILIO.callback}/` })).toBe(
		url,
	);
	expect(inboundUrlOf(described({ inbound: undefined }))).toBeUndefined();
});

describe("is refused by the name of the setting", () => {
	it.each<[string, Record<string, string>]>([
		["preset", { preset: "nobody" }],
		["preset", { preset: "" }],
		["description", { description: "{}" }],
		["token", { token: "\u{e9}t\u{e9} \u{e9}t\u{e9}" }],
		["colour", { colour: "blue" }],
		["address", { address: "ftp://x.example" }],
		["address", { address: "https://me:secret@x.example" }],
		["callback", { callback: "sms.example" }],
		["callback", { callback: "https://sms.example/?a=1" }],
		["token", { token: "short" }],
		["connections", { connections: "0" }],
		["connections", { connections: "65" }],
		["rate", { rate: "fast" }],
		["timeout", { timeout: "61" }],
		["unknown", { unknown: "resend_once" }],
		["cost", { cost: "cheap", currency: "EUR" }],
		["currency", { cost: "0.05" }],
		["currency", { cost: "0.05", currency: "euro" }],
		["senderrate", { senderrate: "-1" }],
	])("%s: %j", (setting, change) => {
		const refusal = refusalOf({ ...TWILIO, ...change });
		expect(refusal.setting).toBe(setting);
		expect(refusal.message).toContain(`"${setting}"`);
		for (const value of Object.values(change))
			if (value.length > 5) expect(refusal.message).not.toContain(value);
	});

	it.each(["account", "token", "callback"])("%s is missing", (setting) => {
		const { [setting]: _, ...rest } = TWILIO as Record<string, string>;
		expect(refusalOf(rest).setting).toBe(setting);
	});
});

it("an account that no header could name is refused", () => {
	const settings = {
		preset: "infobip",
		address: "https://x.api.infobip.com",
		apiKey: "k3y",
		callbackToken: "a-long-random-text",
		callback: "https://sms.example/callbacks/sms/infobip",
	};
	for (const account of ["a\nb", "\u{20ac}"])
		expect(refusalOf({ ...settings, account }).setting).toBe("account");
});

describe("a description is refused with the place", () => {
	it.each<[string, object]>([
		["nonsense", { nonsense: 1 }],
		["send", { send: { method: "POST", path: "/{acount}" } }],
		["send", { send: { method: "GET", path: "/", form: { a: "b" } } }],
		["send", { send: { method: "POST", path: "/", form: {}, json: {} } }],
		["send.path", { send: { method: "POST", path: "https://x.example/" } }],
		["send.path", { send: { method: "POST", path: "/a b" } }],
		["send.path", { send: { method: "POST", path: "/a\r\nx: y" } }],
		["check.path", { check: { method: "GET", path: "/\u{e9}" } }],
		["headers", { headers: { "x-text": "{text}" } }],
		["headers.x-text", { headers: { "x-text": "a\nb" } }],
		["headers.x-text", { headers: { "x-text": "\u{20ac}" } }],
		["headers.Content-Length", { headers: { "Content-Length": "2" } }],
		["headers.transfer-encoding", { headers: { "transfer-encoding": "a" } }],
		["headers.host", { headers: { host: "x.example" } }],
		["headers.connection", { headers: { connection: "close" } }],
		["headers.expect", { headers: { expect: "100-continue" } }],
		["headers.upgrade", { headers: { upgrade: "h2c" } }],
		["headers.keep-alive", { headers: { "keep-alive": "5" } }],
		[
			"response.rules.0.kind",
			{ response: { id: "sid", rules: [{ kind: "?" }] } },
		],
		["response.id", { response: { id: "a..b" } }],
		["inbound.to", { inbound: { from: "From", text: "Body" } }],
		[
			"inbound.encodings.8",
			{
				inbound: {
					...{ from: "a", to: "b", text: "c" },
					encodings: { "8": "utf-16" },
				},
			},
		],
		[
			"settings.text",
			{ settings: { ...twilio.settings, text: { about: "" } } },
		],
		[
			"settings.token.pattern",
			{ settings: { ...twilio.settings, token: { about: "", pattern: "(" } } },
		],
	])("%s", (place, change) => {
		const refusal = refusalOf(described(change));
		expect(refusal.setting).toBe("description");
		expect(refusal.message).toContain(place);
	});

	it("no JSON", () => {
		const { preset: _, ...settings } = TWILIO;
		const refusal = refusalOf({ ...settings, description: "{" });
		expect(refusal.message).toContain("must be a JSON document");
	});
});
