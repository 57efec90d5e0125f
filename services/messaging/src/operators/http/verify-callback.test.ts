import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Callback, readFields } from "./callback.ts";
import { type HttpRoute, parseHttpRoute } from "./http-route.ts";
import { isGenuine } from "./verify-callback.ts";

function post(
	body: string,
	headers: Record<string, string> = {},
	query = "",
): Callback {
	return { method: "POST", query, headers, body: Buffer.from(body) };
}

/** With a secret that is shorter than a route's may be. */
function withSecret(route: HttpRoute, name: string, secret: string): HttpRoute {
	return { ...route, values: new Map(route.values).set(name, secret) };
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("Twilio's signature", () => {
	// The worked example of Twilio's own documentation and libraries.
	const route = withSecret(
		parseHttpRoute("twilio", {
			preset: "twilio",
			account: "AC1234567890ABCDE",
			token: "0123456789abcdef",
			callback: "https://mycompany.com/myapp.php",
		}),
		"token",
		"12345",
	);
	const form = {
		CallSid: "CA1234567890ABCDE",
		Caller: "+14158675310",
		Digits: "1234",
		From: "+14158675310",
		To: "+18005551212",
	};
	const callback = (fields: object, signature: string) =>
		post(
			new URLSearchParams({ ...fields }).toString(),
			{ ...FORM, "x-twilio-signature": signature },
			"foo=1&bar=2",
		);

	it("is that of its documentation, in any order of the fields", () => {
		const signature = "GvWf1cFY/Q7PnoempGyD5oXAezc=";
		expect(isGenuine(callback(form, signature), route)).toBe(true);
		const reversed = Object.fromEntries(Object.entries(form).reverse());
		expect(isGenuine(callback(reversed, signature), route)).toBe(true);
	});

	it.each([
		[
			"another field",
			{ ...form, Digits: "1235" },
			"GvWf1cFY/Q7PnoempGyD5oXAezc=",
		],
		["another signature", form, "GvWf1cFY/Q7PnoempGyD5oXAezd="],
		["none", form, ""],
	])("is not genuine with %s", (_name, fields, signature) => {
		expect(isGenuine(callback(fields, signature), route)).toBe(false);
	});

	it("is over a form that has no type, too", () => {
		const body = new URLSearchParams(form).toString();
		const signed = (signature: string) =>
			post(body, { "x-twilio-signature": signature }, "foo=1&bar=2");
		const ofAll = signed("GvWf1cFY/Q7PnoempGyD5oXAezc=");
		expect(isGenuine(ofAll, route)).toBe(true);
		const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
		const ofUrl = createHmac("sha1", "12345").update(url).digest("base64");
		expect(isGenuine(signed(ofUrl), route)).toBe(false);
	});

	it("is taken with the port in the URL and without", () => {
		const sign = (url: string) =>
			createHmac("sha1", "12345").update(`${url}?foo=1&bar=2`).digest("base64");
		for (const url of [
			"https://mycompany.com:443/myapp.php",
			"https://mycompany.com/myapp.php",
		])
			expect(isGenuine(callback({}, sign(url)), route)).toBe(true);
		const other = sign("https://mycompany.com:8443/myapp.php");
		expect(isGenuine(callback({}, other), route)).toBe(false);
	});
});

describe("Vonage's signature", () => {
	// What the tests of its own libraries sign with.
	const route = withSecret(
		parseHttpRoute("vonage", {
			preset: "vonage",
			account: "abcd1234",
			secret: "s3cr3t",
			signature: "0123456789abcdef",
			callback: "https://sms.example/callbacks/sms/vonage",
		}),
		"signature",
		"secret",
	);
	const sign = (text: string) =>
		createHmac("sha256", "secret").update(text).digest("hex");

	it("is that of its libraries", () => {
		const json = {
			b: "2",
			a: "1",
			timestamp: "1461605396",
			sig: "a321e824b9b816be7c3f28859a31749a098713d39f613c80d455bbaffae1cd24",
		};
		expect(isGenuine(post(JSON.stringify(json)), route)).toBe(true);
	});

	it.each(["9308878062554710045", "1.50", "1e3"])(
		"is over numbers as they are written: %s",
		(number) => {
			const sig = sign(`&n=${number}&timestamp=1461605396`);
			const json = `{"n":${number},"timestamp":1461605396,"sig":"${sig}"}`;
			expect(isGenuine(post(json), route)).toBe(true);
		},
	);

	const fields = { b: "2 & 5", a: "1=1", timestamp: "1461605396" };
	const sig = sign("&a=1_1&b=2 _ 5&timestamp=1461605396");

	it.each<[string, Callback]>([
		["as JSON", post(JSON.stringify({ ...fields, sig }))],
		[
			"as a form",
			post(new URLSearchParams({ ...fields, sig }).toString(), FORM),
		],
		[
			"in the query",
			{
				method: "GET",
				query: new URLSearchParams({ ...fields, sig }).toString(),
				headers: {},
				body: Buffer.alloc(0),
			},
		],
		[
			"in capitals",
			post(JSON.stringify({ ...fields, sig: sig.toUpperCase() })),
		],
		[
			"as JSON under the type of a form",
			post(JSON.stringify({ ...fields, sig }), FORM),
		],
		[
			"as JSON behind a byte order mark",
			post(`\u{FEFF}${JSON.stringify({ ...fields, sig })}`),
		],
		[
			"as a form without a type",
			post(new URLSearchParams({ ...fields, sig }).toString()),
		],
	])("is taken %s, and all fields are read", (_name, callback) => {
		expect(isGenuine(callback, route)).toBe(true);
		expect(readFields(callback)).toMatchObject(fields);
	});

	it.each([
		["another value", { ...fields, a: "2", sig }],
		["a field more", { ...fields, c: "1", sig }],
		["no signature", fields],
	])("is not genuine with %s", (_name, json) => {
		expect(isGenuine(post(JSON.stringify(json)), route)).toBe(false);
	});
});

describe("a body that is very long", () => {
	const settings = {
		account: "AC1234567890ABCDE",
		callback: "https://sms.example/callbacks/sms/main",
	};
	const secret = "0123456789abcdef";
	const text = "x".repeat(100_000);
	const hmac = (algorithm: string, signed: string) =>
		createHmac(algorithm, secret).update(signed);

	it("is not looked into where its fields are signed, whoever sent it", () => {
		const twilio = parseHttpRoute("main", {
			...settings,
			preset: "twilio",
			token: secret,
		});
		const signature = hmac("sha1", `${settings.callback}Body${text}`);
		const headers = { "x-twilio-signature": signature.digest("base64") };
		expect(isGenuine(post(`Body=${text}`, headers), twilio)).toBe(false);
		const vonage = parseHttpRoute("main", {
			...settings,
			preset: "vonage",
			secret,
			signature: secret,
		});
		const sig = hmac("sha256", `&text=${text}`).digest("hex");
		const json = JSON.stringify({ text, sig });
		expect(isGenuine(post(json), vonage)).toBe(false);
	});
});

describe("a shared secret", () => {
	const token = "a-long-random-text";
	const route = parseHttpRoute("infobip", {
		preset: "infobip",
		address: "https://x.api.infobip.com",
		apiKey: "k3y",
		callbackToken: token,
		callback: "https://sms.example/callbacks/sms/infobip",
	});

	it.each([
		[`token=${token}`, true],
		[`x=1&token=${token}&y=2`, true],
		[`token=${token}x`, false],
		["token=", false],
		["", false],
	])("in the query %s: %s", (query, expected) => {
		expect(isGenuine(post("{}", {}, query), route)).toBe(expected);
	});

	it("is enough for a body of any length", () => {
		const long = post("x".repeat(100_000), {}, `token=${token}`);
		expect(isGenuine(long, route)).toBe(true);
	});
});
