import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { keyRingText } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { SecretsService } from "@airtower/proto/ops/v1/secrets";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readMessagingConfig } from "../src/config.ts";
import { startMessaging } from "../src/service.ts";
import { clientsOf, refusalOf } from "./support/clients.ts";
import { organizationWith } from "./support/messaging.ts";
import {
	callSend,
	settingsFor,
	startTestService,
	type TestService,
} from "./support/service.ts";

const PASSWORD = "tops3cret";
const KEYS = keyRingText();
const NEW_KEYS = keyRingText("new");

let smsc: Smsc;
let service: TestService;
let admin: TestService["admin"];
/** A code of each test's own. */
let code: string;
let tests = 0;

beforeAll(async () => {
	smsc = await startSmsc({ accounts: { airtower: PASSWORD } });
	service = await startTestService({
		realOperator: true,
		env: {
			SMPP_ROUTE_URL: `smpp://airtower:${PASSWORD}@127.0.0.1:${smsc.port}?code=first&window=5`,
			ENCRYPTION_KEYS: KEYS,
		},
	});
	admin = service.admin;
});

beforeEach(() => {
	code = `route-${++tests}`;
});

afterAll(async () => {
	await service.close();
	await smsc.close();
});

function settings(more: Record<string, string> = {}) {
	const address = `smpp://airtower@127.0.0.1:${smsc.port}`;
	return { address, password: PASSWORD, ...more };
}

/** A paused route: it takes and sends nothing of other tests. */
async function addPaused(more: Record<string, string> = {}) {
	const added = { code, kind: "smpp", settings: settings(more), paused: true };
	return (await admin.addRoute(added)).route;
}

async function entries(): Promise<Record<string, unknown>[]> {
	return service.sql`
		select action, before, after
		from audit_entries
		where subject = ${code}
		order by id
	`;
}

/** Of a refused call: its reason, field and sentence. */
async function refusal(call: Promise<unknown>) {
	const error = await call.then(
		() => undefined,
		(error: unknown) => domainErrorFrom(error),
	);
	const { reason, field, message } = error ?? {};
	return { reason, field, message };
}

test("the route of SMPP_ROUTE_URL is the first one in the table", async () => {
	const { route } = await admin.getRoute({ code: "first" });
	expect(route).toMatchObject({
		code: "first",
		kind: "smpp",
		state: "active",
		version: 1,
		settings: {
			address: `smpp://airtower@127.0.0.1:${smsc.port}`,
			account: "airtower@127.0.0.1",
			password: "set",
			window: "5",
		},
	});
});

test("a route is added and changed; a setting that is emptied has its default again", async () => {
	expect(await addPaused({ window: "7", rate: "3" })).toMatchObject({
		code,
		state: "paused",
		version: 1,
		settings: { window: "7", rate: "3", account: "airtower@127.0.0.1" },
	});
	const changes = { window: "9", rate: "" };
	const { route } = await admin.setRoute({ code, settings: changes });
	expect(route).toMatchObject({ version: 2, settings: { window: "9" } });
	expect(route?.settings).not.toHaveProperty("rate");
	const again = await admin.setRoute({ code, settings: changes });
	expect(again.route?.version).toBe(2);
});

test("the account stays what it was when the address changes", async () => {
	await addPaused();
	const address = "smpp://airtower@localhost:1";
	const { route } = await admin.setRoute({ code, settings: { address } });
	expect(route?.settings).toMatchObject({
		address,
		account: "airtower@127.0.0.1",
	});
});

test("each act is in the audit with what was before and after, the password as set or changed", async () => {
	await addPaused({ window: "7" });
	await admin.setRoute({ code, settings: { window: "9", password: "other" } });
	await admin.setRoute({ code, settings: { window: "9" } });
	await admin.setRouteState({ code, state: "draining" });
	await admin.setRouteState({ code, state: "draining" });
	const { address } = settings();
	expect(await entries()).toEqual([
		{
			action: "add_route",
			before: null,
			after: {
				kind: "smpp",
				state: "paused",
				address,
				password: "set",
				window: "7",
				account: "airtower@127.0.0.1",
			},
		},
		{
			action: "set_route",
			before: { window: "7", password: "set" },
			after: { window: "9", password: "changed" },
		},
		{
			action: "set_route_state",
			before: { state: "paused" },
			after: { state: "draining" },
		},
	]);
});

test("a password is shown to nobody and stored sealed", async () => {
	await addPaused();
	const shown = [
		await admin.getRoute({ code }),
		await admin.listRoutes({}),
		await admin.setRoute({ code, settings: { window: "3" } }),
		await admin.setRouteState({ code, state: "draining" }),
		await admin.testRoute({ code }),
	];
	const replacer = (_: string, value: unknown) =>
		typeof value === "bigint" ? String(value) : value;
	expect(JSON.stringify(shown, replacer)).not.toContain(PASSWORD);
	const [stored] = await service.sql<{ text: string }[]>`
		select concat(
			(select string_agg(routes::text || encode(settings, 'escape'), ' ') from routes),
			(select string_agg(audit_entries::text, ' ') from audit_entries)
		) as text
	`;
	expect(stored?.text).toContain(code);
	expect(stored?.text).not.toContain(PASSWORD);
});

test.each([
	["window", { window: "0" }, /whole number from 1 to 1000/],
	["windw", { windw: "5" }, /unknown/],
	["address", { address: "smsc.example" }, /smpp\(s\):\/\/systemId@host:port/],
	["password", { password: "x".repeat(65) }, /1 to 64 characters/],
	["code", { code: "other" }, /cannot be changed/],
])(
	"a bad %s is refused by its name before anything changes",
	async (field, change, message) => {
		const bad = {
			code,
			kind: "smpp",
			settings: settings(change),
			paused: true,
		};
		const expected = {
			reason: "invalid_setting",
			field,
			message: expect.stringMatching(message),
		};
		expect(await refusal(admin.addRoute(bad))).toEqual(expected);
		expect(await refusalOf(admin.getRoute({ code }))).toBe("unknown_route");
		await addPaused();
		const changes = { code, settings: { ...change, rate: "9" } };
		expect(await refusal(admin.setRoute(changes))).toEqual(expected);
		expect(await refusal(admin.testRoute(changes))).toEqual(expected);
		const { route } = await admin.getRoute({ code });
		expect(route?.version).toBe(1);
		expect(route?.settings).not.toHaveProperty("rate");
		expect(await entries()).toHaveLength(1);
	},
);

test("a route is tested as it is and as it might be, and what the operator said is told", async () => {
	await addPaused();
	const tried = async (changes: Record<string, string>) => {
		const { passed, result } = await admin.testRoute({
			code,
			settings: changes,
		});
		return { passed, result };
	};
	expect(await tried({})).toEqual({
		passed: true,
		result: `bound at 127.0.0.1:${smsc.port}`,
	});
	expect(await tried({ mode: "pair" })).toMatchObject({ passed: true });
	expect(await tried({ password: "wrong" })).toEqual({
		passed: false,
		result: "bind refused: 0x0E",
	});
	const address = "smpp://airtower@127.0.0.1:9";
	expect(await tried({ address })).toEqual({
		passed: false,
		result: expect.stringContaining("ECONNREFUSED"),
	});
	const { route } = await admin.getRoute({ code });
	expect(route?.version).toBe(1);
	expect(await service.sql`select from route_tests`).toHaveLength(0);
});

test("a route is removed once it takes nothing and no message waits for it, and may be added again", async () => {
	await addPaused();
	const remove = () => admin.setRouteState({ code, state: "removed" });
	await admin.setRouteState({ code, state: "active" });
	expect(await refusalOf(remove())).toBe("invalid_transition");
	await admin.setRouteState({ code, state: "paused" });
	expect(await refusal(remove())).toMatchObject({
		reason: "route_in_use",
		message: expect.stringMatching(/a moment ago/),
	});
	await service.sql`update routes set changed_at = now() - interval '1 minute' where code = ${code}`;
	const organization = await organizationWith(service, 1);
	const messageId = await callSend(service, organization);
	await service.sql`
		insert into dispatch (message_id, organization_id, route, expires_at)
		values (${uuidv7()}, ${organization}, ${code}, now() + interval '1 hour')
	`;
	expect(await refusal(remove())).toMatchObject({
		reason: "route_in_use",
		message: expect.stringMatching(/drain it/),
	});
	await service.sql`delete from dispatch where route = ${code}`;
	expect((await remove()).route).toMatchObject({ state: "removed" });
	expect((await remove()).route).toMatchObject({ state: "removed" });
	expect(
		await Promise.all(
			[
				admin.setRoute({ code, settings: { window: "3" } }),
				admin.setRouteState({ code, state: "active" }),
			].map(refusalOf),
		),
	).toEqual(["invalid_transition", "invalid_transition"]);
	const { routes } = await admin.listRoutes({});
	expect(routes.map((route) => route.code)).not.toContain(code);
	expect((await admin.getRoute({ code })).route).toMatchObject({
		state: "removed",
	});
	expect(await addPaused()).toMatchObject({ state: "paused" });
	expect(await refusalOf(addPaused())).toBe("route_exists");
	expect(messageId).not.toBe("");
});

test("acts on routes are only for admins of every organization", async () => {
	await addPaused();
	const { port } = service.running;
	const add = { code, kind: "smpp", settings: settings() };
	const onExisting = ({ admin }: Pick<TestService, "admin">) => [
		admin.setRoute({ code, settings: { window: "3" } }),
		admin.getRoute({ code }),
		admin.testRoute({ code }),
		admin.setRouteState({ code, state: "active" }),
	];
	const acts = (clients: Pick<TestService, "admin">) => [
		clients.admin.addRoute(add),
		...onExisting(clients),
	];
	const one = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	expect(new Set(await Promise.all(acts(one).map(refusalOf)))).toEqual(
		new Set(["organization_mismatch"]),
	);
	expect(new Set(await Promise.all(acts(plain).map(refusalOf)))).toEqual(
		new Set(["PermissionDenied"]),
	);
	code = "unknown";
	expect(await Promise.all(onExisting(service).map(refusalOf))).toEqual(
		Array(4).fill("unknown_route"),
	);
});

test("settings are sealed anew under a newer key, and read on", async () => {
	await addPaused();
	const both = await startTestService({
		realOperator: true,
		env: { ENCRYPTION_KEYS: `${NEW_KEYS},${KEYS}` },
		prepare: async (sql) => {
			const [row] =
				await service.sql`select * from routes where code = ${code}`;
			await sql`insert into routes ${sql(row as Record<string, string>)}`;
		},
	});
	const secrets = testRpcClient({
		service: SecretsService,
		baseUrl: `http://127.0.0.1:${both.running.port}`,
		audience: "messaging",
	});
	expect(await secrets.resealSecrets({})).toMatchObject({
		resealed: 1,
		left: 0n,
		unreadable: 0n,
	});
	expect((await both.admin.getRoute({ code })).route?.settings).toMatchObject({
		password: "set",
	});
	await both.close();
});

test("without keys the route of the settings is the only one, and acts on routes say why they are refused", async () => {
	const plain = await startTestService({ realOperator: true });
	const { routes } = await plain.admin.listRoutes({});
	expect(routes).toMatchObject([
		{ code: "smpp", state: "active", takesNewMessages: true },
	]);
	const acts = [
		plain.admin.addRoute({ code, kind: "smpp", settings: settings() }),
		plain.admin.setRoute({ code: "smpp", settings: { window: "3" } }),
		plain.admin.getRoute({ code: "smpp" }),
		plain.admin.testRoute({ code: "smpp" }),
		plain.admin.setRouteState({ code: "smpp", state: "paused" }),
	];
	for (const refused of await Promise.all(acts.map(refusal)))
		expect(refused).toMatchObject({
			reason: "routes_not_stored",
			message: expect.stringContaining("ENCRYPTION_KEYS"),
		});
	await plain.close();
});

test("a process without the keys of stored routes does not start", async () => {
	const config = readMessagingConfig(settingsFor(service.database));
	await expect(startMessaging(config, { log: silentLog })).rejects.toThrow(
		/ENCRYPTION_KEYS is not set/,
	);
});

test("a later SMPP_ROUTE_URL of a code that the table has changes nothing", async () => {
	const config = readMessagingConfig(
		settingsFor(service.database, {
			SMPP_ROUTE_URL: "smpp://other:other@127.0.0.1:9?code=first&window=99",
			ENCRYPTION_KEYS: KEYS,
			MESSAGING_ROLE: "accept",
		}),
	);
	const later = await startMessaging(config, { log: silentLog });
	const { admin } = clientsOf(later.port);
	await eventually(async () =>
		expect((await admin.getRoute({ code: "first" })).route).toMatchObject({
			version: 1,
			settings: { window: "5" },
		}),
	);
	await later.close();
});
