import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { eventually } from "@airtower/platform/testing/eventually";
import { keyRingText } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import type { HttpSms } from "@airtower/simulators/http-sms/http-sms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMessagingConfig } from "../../src/config.ts";
import { startMessaging } from "../../src/service.ts";
import { type Clients, clientsOf, refusalOf } from "../support/clients.ts";
import { organizationWith } from "../support/messaging.ts";
import { messageRow } from "../support/rows.ts";
import {
	callSend,
	settingsFor,
	startTestService,
	type TestService,
} from "../support/service.ts";
import {
	openLookAlike,
	PRESETS,
	type Preset,
	settingsOf,
} from "./http-operators.ts";

const CODE = "http-1";

/** The setting that lets each in. */
const PASSWORDS = {
	twilio: "token",
	vonage: "secret",
	infobip: "apiKey",
} as const;

interface HttpRouteWorld extends TestService {
	readonly lookAlike: HttpSms;
	readonly organization: string;
	readonly settings: Record<string, string>;
	/** Where the operator calls back. */
	readonly callback: string;
}

/** One process that delivers over a look-alike, and one that takes its callbacks and delivers nothing. */
async function startWorld(preset: Preset): Promise<HttpRouteWorld> {
	const env = {
		ENCRYPTION_KEYS: keyRingText(),
		ALLOW_HTTP_OPERATORS: "true",
		ALLOW_PRIVATE_OPERATOR_ADDRESSES: "true",
	};
	const service = await startTestService({ env, realOperator: true });
	const accepting = await startMessaging(
		readMessagingConfig(
			settingsFor(service.database, { ...env, MESSAGING_ROLE: "accept" }),
		),
		{ log: silentLog, accounts: service.ledger.client },
	);
	const lookAlike = await openLookAlike(preset);
	const bridge = await startBridge(clientsOf(accepting.port));
	const callback = `${bridge.url}/callbacks/sms/${CODE}`;
	const settings = settingsOf(preset, lookAlike.url, callback);
	const { admin } = service;
	await admin.addRoute({ code: CODE, kind: "http", settings });
	await admin.setRouteState({ code: "smpp", state: "draining" });
	await eventually(async () => {
		const { routes } = await admin.listRoutes({});
		const route = routes.find(({ code }) => code === CODE);
		expect(route?.connections).toBe(8);
	});
	return {
		...service,
		lookAlike,
		organization: await organizationWith(service, 1_000),
		settings,
		callback,
		close: async () => {
			await lookAlike.close();
			bridge.close();
			await accepting.close();
			await service.close();
		},
	};
}

/** Stands for the gateway: gives every request to messaging. */
async function startBridge({ messaging }: Clients) {
	const server = createServer(async (request, response) => {
		const { method = "", url = "", headers } = request;
		const status = await messaging
			.receiveCallback({
				route: CODE,
				method,
				query: url.split("?")[1] ?? "",
				headers: headers as Record<string, string>,
				body: await buffer(request),
			})
			.then(
				() => 200,
				(error) => (domainErrorFrom(error) === undefined ? 503 : 401),
			);
		response.writeHead(status).end();
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${port}`, close };
}

describe.each(PRESETS)("a route by the preset %s", (preset) => {
	let world: HttpRouteWorld;
	beforeAll(async () => {
		world = await startWorld(preset);
	});
	afterAll(() => world.close());

	it("is tried by a call that sends nothing, and told apart from a wrong secret", async () => {
		const { admin, lookAlike } = world;
		const right = await admin.testRoute({ code: CODE, settings: {} });
		expect(right).toMatchObject({ passed: true });
		const settings = { [PASSWORDS[preset]]: "another-secret" };
		const wrong = await admin.testRoute({ code: CODE, settings });
		expect(wrong).toMatchObject({
			passed: false,
			result: expect.stringContaining("HTTP 401"),
		});
		expect(lookAlike.sends).toEqual([]);
	});

	it("brings every behaving number to its end", async () => {
		const outcomes = {
			"9999": ["delivered", null],
			"0002": ["failed", "unknown_subscriber"],
			"0003": [
				"failed",
				expect.stringMatching(/^(rejected|unknown_subscriber)$/),
			],
			"0004": ["failed", "expired"],
			"0005": ["delivered", null],
			"0007": ["delivered", null],
			"0008": ["delivered", null],
			"0012": ["delivered", null],
		};
		const ids = new Map<string, string>();
		for (const digits of Object.keys(outcomes)) {
			const to = `+3361234${digits}`;
			ids.set(digits, await callSend(world, world.organization, { to }));
		}
		await eventually(async () => {
			for (const [digits, [status, reason]] of Object.entries(outcomes)) {
				const row = await messageRow(world.sql, ids.get(digits) ?? "");
				const { possibleDuplicate } = row;
				expect({ digits, ...row }).toMatchObject({ digits, status, reason });
				expect(possibleDuplicate).toBe(false);
			}
		});
		// One each, and none for what was refused.
		expect(world.lookAlike.sends).toHaveLength(7);
	});

	it("shows no secret, neither to admins nor in the table nor in the audit", async () => {
		const { admin, sql, settings } = world;
		const { route } = await admin.getRoute({ code: CODE });
		const name = PASSWORDS[preset];
		expect(route?.kind).toBe("http");
		expect(route?.settings).toMatchObject({ preset, [name]: "set" });
		const rows = [
			...(await sql`select encode(settings, 'escape') as text from routes`),
			...(await sql`select audit_entries::text as text from audit_entries`),
		];
		const text = rows.map((row) => String(row.text)).join();
		expect(text).toContain(settings.callback);
		expect(text).not.toContain(settings[name]);
	});

	it("refuses a callback of nobody's, and one for a route that is not called over HTTP", async () => {
		const { messaging } = world;
		const call = (route: string) =>
			refusalOf(messaging.receiveCallback({ route, method: "GET" }));
		expect(await call(CODE)).toBe("invalid_callback_signature");
		expect(await call("smpp")).toBe("unknown_route");
		expect(await call("other")).toBe("unknown_route");
	});

	it("refuses a change that is wrong by the name of the setting", async () => {
		const { admin } = world;
		const changes = {
			kind: { preset: "" },
			preset: { preset: "nobody" },
			callback: { callback: "here" },
			[PASSWORDS[preset]]: { [PASSWORDS[preset]]: "\u{e9}" },
			window: { window: "3" },
		};
		for (const [field, settings] of Object.entries(changes)) {
			const change = admin.setRoute({ code: CODE, settings });
			const refusal = await change.then(() => undefined, domainErrorFrom);
			expect(refusal).toMatchObject({ reason: "invalid_setting", field });
		}
		const settings = { preset };
		expect(await refusalOf(admin.setRoute({ code: "smpp", settings }))).toBe(
			"invalid_setting",
		);
	});

	// Twilio's secret signs its callbacks too, which do not come again.
	const itTakesOn = preset === "twilio" ? undefined : it;
	itTakesOn?.("takes on another secret without a restart", async () => {
		const { admin, settings } = world;
		const name = PASSWORDS[preset];
		const wrong = { [name]: "another-secret" };
		await admin.setRoute({ code: CODE, settings: wrong });
		await eventually(async () => {
			await callSend(world, world.organization);
			const { routes } = await admin.listRoutes({});
			const route = routes.find(({ code }) => code === CODE);
			expect(route?.lastError).toMatch(/^HTTP /);
		});
		const right = { [name]: settings[name] ?? "" };
		await admin.setRoute({ code: CODE, settings: right });
		await eventually(async () => {
			const open = await world.sql`
				select from messages where status not in ('delivered', 'failed')
			`;
			expect(open).toHaveLength(0);
		});
	});

	const itTakesAnyText = preset === "infobip" ? it : undefined;
	itTakesAnyText?.each([
		["with a NUL", "abc\u00005"],
		["of 3,000 characters", randomBytes(1_500).toString("hex")],
		["with blanks at its ends", " abc6 "],
	])(
		"an id %s is submitted once, and its receipt finds it",
		async (_name, messageId) => {
			const { lookAlike, organization, sql } = world;
			const before = lookAlike.requests;
			const status = { groupName: "PENDING", name: "PENDING_ACCEPTED" };
			lookAlike.respondNext({
				status: 200,
				body: { messages: [{ messageId, status }] },
			});
			const id = await callSend(world, organization);
			await eventually(async () =>
				expect((await messageRow(sql, id)).status).toBe("submitted"),
			);
			const { callback, settings } = world;
			const delivered = { messageId, status: { groupName: "DELIVERED" } };
			const receipt = await lookAlike.post({
				url: `${callback}?token=${settings.callbackToken}`,
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ results: [delivered] }),
			});
			expect(receipt).toBe(200);
			expect(await messageRow(sql, id)).toMatchObject({
				status: "delivered",
				attempts: 1,
			});
			expect(lookAlike.requests).toBe(before + 1);
		},
	);

	itTakesAnyText?.(
		"a refusal in words that no text column takes fails the message",
		async () => {
			const { lookAlike, organization, sql } = world;
			const before = lookAlike.requests;
			const name = `bad\u0000code ${"x".repeat(10_000)}`;
			lookAlike.respondNext({
				status: 400,
				body: { messages: [{ status: { name } }] },
			});
			const id = await callSend(world, organization);
			await eventually(async () =>
				expect(await messageRow(sql, id)).toMatchObject({
					status: "failed",
					reason: "rejected",
				}),
			);
			expect(lookAlike.requests).toBe(before + 1);
		},
	);

	const itStores = preset === "twilio" ? it : undefined;
	itStores?.(
		"stores what a callback says before it responds, also of a message that nobody knows",
		async () => {
			const { messaging, sql, settings, callback } = world;
			const fields = { MessageSid: "SM-unknown", MessageStatus: "delivered" };
			const signed = `${callback}MessageSidSM-unknownMessageStatusdelivered`;
			const mac = createHmac("sha1", String(settings.token)).update(signed);
			await messaging.receiveCallback({
				route: CODE,
				method: "POST",
				headers: {
					"content-type": "application/x-www-form-urlencoded",
					"x-twilio-signature": mac.digest("base64"),
				},
				body: Buffer.from(new URLSearchParams(fields).toString()),
			});
			const stored = await sql`
			select operator_account, state
			from receipts
			where operator_message_id = 'SM-unknown'
		`;
			expect([...stored]).toEqual([
				{ operator_account: settings.account, state: "delivered" },
			]);
		},
	);
});
