import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ConfigError } from "@airtower/platform/runtime/config";
import { expect, test } from "vitest";
import { parseSmppRoute } from "./smpp-route.ts";

const CA = fileURLToPath(import.meta.url);

test("a route over TLS has the port registered for that", () => {
	const { port, isSecure } = parseSmppRoute("smpps://user:secret@smsc.example");
	expect({ port, isSecure }).toEqual({ port: 3550, isSecure: true });
});

test("a bare route has the standard's and the industry's defaults", () => {
	expect(parseSmppRoute("smpp://user:secret@smsc.example")).toEqual({
		kind: "smpp",
		host: "smsc.example",
		port: 2775,
		isSecure: false,
		ca: "",
		cert: "",
		key: "",
		systemId: "user",
		password: "secret",
		code: "smpp",
		account: "user@smsc.example",
		furtherHosts: [],
		window: 10,
		binds: 1,
		mode: "transceiver",
		rate: undefined,
		responseIds: "auto",
		receiptIds: "auto",
		receipts: "named",
		receiptForm: undefined,
		receiptStates: new Map(),
		reasons: { statuses: new Map(), errors: new Map() },
		long: "udh",
		encoding: "auto",
		transliterate: false,
		referenceBits: 8,
		alphabet: "gsm",
		recipient: { ton: 1, npi: 1 },
		number: { ton: 1, npi: 1 },
		name: { ton: 5, npi: 0 },
		shortCode: { ton: 3, npi: 0 },
		statuses: new Map(),
		serviceType: "",
		protocolId: 0,
		priority: 0,
		tlvs: [],
		systemType: "",
		unknownPolicy: "setting",
		cost: undefined,
		senderRate: undefined,
		enquireSeconds: 10,
		timeoutSeconds: 60,
	});
});

test("every option is read", () => {
	const query =
		"code=eu-1&account=acme&window=50&binds=2&mode=pair&rate=100&ids=hex-dec&receipts=unnamed&long=sar&alphabet=latin1&encoding=auto&transliterate=yes&reference=16" +
		"&recipient=0.1&number=2.8&name=5.1&shortcode=6.9&statuses=0x45:permanent,0x401:throttled" +
		"&servicetype=WAP&protocol=65&priority=3&tlvs=0x1400:octets:110{sender},0x1401:int16:7" +
		"&unknown=failover&cost=0.0125&currency=EUR&senderrate=5" +
		"&hosts=smsc2.example,[::2]:2777" +
		"&receipt=Message%20{id}%20is%20{stat}*code%3D{err}&receiptstates=accepted:delivered,HELD:intermediate,BARRED:blocked" +
		"&reasons=0x0b:unknown_subscriber,012:blocked,E-7:expired" +
		"&systemtype=VMA&timezone=-05:30&enquire=25&timeout=20";
	expect(
		parseSmppRoute(`smpps://u:p%40ss@[::1]:2776?${query}&ca=${CA}`),
	).toEqual({
		kind: "smpp",
		host: "::1",
		port: 2776,
		isSecure: true,
		ca: CA,
		cert: "",
		key: "",
		systemId: "u",
		password: "p@ss",
		code: "eu-1",
		account: "acme",
		furtherHosts: [
			{ host: "smsc2.example", port: 2776 },
			{ host: "::2", port: 2777 },
		],
		window: 50,
		binds: 2,
		mode: "pair",
		rate: 100,
		responseIds: "hex",
		receiptIds: "dec",
		receipts: "unnamed",
		receiptForm: [
			{ kind: "literal", text: "Message " },
			{ kind: "field", name: "id" },
			{ kind: "literal", text: " is " },
			{ kind: "field", name: "stat" },
			{ kind: "any" },
			{ kind: "literal", text: "code=" },
			{ kind: "field", name: "err" },
		],
		receiptStates: new Map([
			["ACCEPTED", { state: "delivered" }],
			["HELD", { state: "intermediate" }],
			["BARRED", { state: "failed", reason: "blocked" }],
		]),
		reasons: {
			statuses: new Map([[0x0b, "unknown_subscriber"]]),
			errors: new Map([
				["12", "blocked"],
				["E-7", "expired"],
			]),
		},
		long: "sar",
		encoding: "auto",
		transliterate: true,
		referenceBits: 16,
		alphabet: "latin1",
		recipient: { ton: 0, npi: 1 },
		number: { ton: 2, npi: 8 },
		name: { ton: 5, npi: 1 },
		shortCode: { ton: 6, npi: 9 },
		statuses: new Map([
			[0x45, "permanent"],
			[0x401, "throttled"],
		]),
		serviceType: "WAP",
		protocolId: 65,
		priority: 3,
		tlvs: [
			{ tag: 0x1400, kind: "octets", template: "110{sender}" },
			{ tag: 0x1401, kind: "int16", template: "7" },
		],
		systemType: "VMA",
		unknownPolicy: "failover",
		cost: { amount: 0.0125, currency: "EUR" },
		senderRate: 5,
		enquireSeconds: 25,
		timeoutSeconds: 20,
	});
});

test.each([
	["windw=10", /option "windw" is unknown; known are .*window/],
	["hosts=a,,b", /option "hosts" must be hosts joined by commas/],
	["hosts=user@a", /option "hosts" must be hosts joined by commas/],
	["hosts=a:port", /option "hosts" must be hosts joined by commas/],
	["hosts=a:", /option "hosts" must be hosts joined by commas/],
	["hosts=a,a", /option "hosts" must name each host once/],
	["hosts=h:2775", /option "hosts" must name each host once/],
	["hosts=a,b,c,d,e,f,g,i", /option "hosts" must have at most 7 hosts/],
	["window=0", /option "window" must be a whole number from 1 to 1000/],
	["window=ten", /option "window"/],
	["window=1e1", /option "window"/],
	["window=5&window=6", /option "window" is given twice/],
	["rate=-1", /option "rate"/],
	["ids=octal", /option "ids" must be one of auto, hex, dec, exact/],
	["long=maybe", /option "long" must be one of udh, sar, payload/],
	["alphabet=utf8", /option "alphabet"/],
	["mode=trx", /option "mode"/],
	["ca=/none/ca.crt", /option "ca"/],
	["code=Upper", /option "code"/],
	["name=5", /option "name" must be ton.npi/],
	["statuses=69:permanent", /option "statuses"/],
	["statuses=0x45:never", /option "statuses"/],
	["unknown=maybe", /option "unknown" must be one of setting, hold, resend/],
	["cost=1e3&currency=EUR", /option "cost" must be an amount such as 0.0125/],
	["cost=-1&currency=EUR", /option "cost" must be an amount/],
	["cost=1", /option "currency" is missing beside "cost"/],
	["currency=EUR", /option "currency" is of no use without "cost"/],
	["cost=1&currency=eur", /option "currency" must be an ISO 4217 code/],
	["cost=1&currency=ABC", /option "currency" must be an ISO 4217 code/],
	["senderrate=1.5", /option "senderrate" must be a whole number from 0/],
	["reasons=0x0B:none", /option "reasons" must be entries like .*, blocked/],
	["reasons=0x0B:no_receipt", /option "reasons" must be entries/],
	["reasons=012", /option "reasons" must be entries/],
	["receiptstates=OK:fine", /option "receiptstates" must be entries/],
	["receiptstates=:delivered", /option "receiptstates" must be entries/],
	["receipt={id}", /option "receipt" must be a text with {id} and {stat}/],
	["receipt={id} {stat} {id}", /option "receipt" .* each once/],
	["receipt={id}{stat}", /option "receipt" .* between two fields/],
	["receipt={id} {stat} {text}", /option "receipt" must be a text with/],
	["receipt={id} {stat} é", /option "receipt" .* all of ASCII/],
	[`receipt={id} {stat}${"x".repeat(290)}`, /option "receipt" .* at most 300/],
	["timeout=61", /option "timeout"/],
	["encoding=gsm", /option "encoding" must be one of auto, ucs2/],
	["transliterate=1", /option "transliterate" must be one of no, yes/],
	["encoding=ucs2&transliterate=yes", /option "transliterate" is of no use/],
	["reference=12", /option "reference" must be 8 or 16/],
	["servicetype=TOOLONG", /option "servicetype"/],
	["protocol=256", /option "protocol" must be a whole number from 0 to 255/],
	["priority=4", /option "priority"/],
	["tlvs=1400:octets:1", /option "tlvs" must be entries like 0x1400/],
	["tlvs=0x1400:float:1", /option "tlvs" .* octets, cstring, int8/],
	["tlvs=0x1400:octets:{body}", /option "tlvs" must name fields .*{reference}/],
	["tlvs=0x1400:octets:{sender", /option "tlvs" must name fields/],
	["tlvs=0x1400:int8:256", /option "tlvs" .* fits int8/],
	["tlvs=0x424:octets:1", /option "tlvs" must not name 0x424/],
	["tlvs=0x1400:octets:1,0x1400:octets:2", /option "tlvs" .* more than once/],
])("%s is refused by one sentence that names the option", (query, message) => {
	const text = `smpp://user:tops3cret@h?${query}`;
	expect(() => parseSmppRoute(text)).toThrow(ConfigError);
	expect(() => parseSmppRoute(text)).toThrow(message);
	expect(() => parseSmppRoute(text)).not.toThrow(/tops3cret/);
});

test("the README's table has every option of a route", async () => {
	const readme = await readFile(
		new URL("../../../README.md", import.meta.url),
		"utf8",
	);
	const [, section = ""] = readme.split("The route's options, after");
	const rows = section.split("\n").filter((line) => line.startsWith("| `"));
	const documented = rows.flatMap((row) =>
		[...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
	);
	expect(new Set(documented)).toEqual(new Set(knownOptions()));
});

/** As the refusal of an unknown one names them; `timezone` is of no use any more. */
function knownOptions(): string[] {
	try {
		parseSmppRoute("smpp://u:p@h?nothing=1");
		return [];
	} catch (error) {
		const [, names = ""] = /known are (.*)\.$/.exec(String(error)) ?? [];
		return names.split(", ").filter((name) => name !== "timezone");
	}
}

test.each([
	"not a url",
	"http://user:tops3cret@host",
	"smpp://user:tops3cret@",
	"smpp://user:tops3cret@host:port",
	"smpp://:tops3cret@host",
	"smpp://user@host",
	"smpp://user:tops3cret%E9@host",
	"smpp://user:tops3cret%00@host",
	`smpp://user:tops3cret${"x".repeat(60)}@host`,
])("%s is refused without showing the password", (text) => {
	expect.assertions(3);
	try {
		parseSmppRoute(text);
	} catch (error) {
		expect(error).toBeInstanceOf(ConfigError);
		expect(
			JSON.stringify(error, Object.getOwnPropertyNames(error)),
		).not.toMatch("tops3cret");
		expect((error as Error).cause).toBeUndefined();
	}
});
