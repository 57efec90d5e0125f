import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { RunningService } from "@airtower/platform/service/create-service";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readMessagingConfig } from "../../src/config.ts";
import { chooseRoute } from "../../src/domain/routing/choose-route.ts";
import { buildRouteTable } from "../../src/domain/routing/route-table.ts";
import { startMessaging } from "../../src/service.ts";
import { listRouteRules } from "../../src/store/routes/route-rules.ts";
import { clientsOf, refusalOf } from "../support/clients.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
	reasonOf,
} from "../support/messaging.ts";
import { callSend, settingsFor, type TestService } from "../support/service.ts";
import { expectExact, storedCount } from "../support/stored.ts";
import {
	ENV,
	type RuleInit,
	type RulesClient,
	removeAllRules,
	ruleFor,
	rulesClient,
	setRouteState,
	startRuleWorld,
	storedRoutes,
} from "./rule-world.ts";

let service: TestService;
let rules: RulesClient;
/** Another process that accepts, on the same database. */
let other: RunningService;

beforeAll(async () => {
	({ service, rules } = await startRuleWorld("second", "third"));
	const env = settingsFor(service.database, ENV);
	other = await startMessaging(readMessagingConfig(env), {
		log: silentLog,
		accounts: service.ledger.client,
	});
});

afterEach(async () => {
	await removeAllRules(rules);
	for (const code of ["first", "second", "third"])
		await setRouteState(service, code, "active");
});

afterAll(async () => {
	await other.close();
	await service.close();
});

const french = { prefix: "+33" };

async function sendTo(organization: string, to: string) {
	const messages = [messageTo(organization, { to })];
	const { results } = await service.messaging.sendMessages({ messages });
	return results[0];
}

async function explain(to = "+33612345678", client = rules) {
	return client.explainRoute({ to, sender: "Airtower" });
}

async function newestActs(limit: number) {
	const audit = testRpcClient({
		baseUrl: `http://127.0.0.1:${service.running.port}`,
		audience: "messaging",
		service: AuditService,
	});
	const { entries } = await audit.listAuditEntries({ page: { limit } });
	return entries.map(({ action, subject, before, after }) => ({
		action,
		subject,
		before: before === "" ? null : JSON.parse(before),
		after: after === "" ? null : JSON.parse(after),
	}));
}

test("a rule is added, listed, shown in the version that it made, and removed; each is in the audit", async () => {
	const before = (await rules.listRouteRules({})).version;
	const rule = { ...french, priority: 2, weight: 3, choose: "cost" };
	const added = await rules.addRouteRule(ruleFor("second", rule));
	expect(added).toMatchObject({ rule, version: before + 1 });
	const id = added.rule?.id ?? 0n;
	expect(await rules.listRouteRules({})).toMatchObject({
		version: before + 1,
		rules: [{ ...rule, id, sinceVersion: before + 1 }],
	});
	expect(await newestActs(1)).toEqual([
		{
			action: "add_route_rule",
			subject: "second",
			before: null,
			after: {
				prefix: "+33",
				sender: null,
				organization_id: null,
				route: "second",
				priority: 2,
				weight: 3,
				choose: "cost",
				version: before + 1,
			},
		},
	]);
	const removed = await rules.removeRouteRule({ id });
	expect(removed).toMatchObject({ rule, version: before + 2 });
	expect(await newestActs(1)).toMatchObject([
		{
			action: "remove_route_rule",
			before: { prefix: "+33", route: "second", version: before + 1 },
			after: { version: before + 2 },
		},
	]);
	expect((await rules.listRouteRules({})).rules).toEqual([]);
	const asBefore = await rules.listRouteRules({ version: before + 1 });
	expect(asBefore.rules).toMatchObject([{ id }]);
});

test("the same rule again changes nothing; with another weight it takes the place of the one before, in one version", async () => {
	const first = await rules.addRouteRule(ruleFor("second", french));
	const [act] = await newestActs(1);
	const again = await rules.addRouteRule(ruleFor("second", french));
	expect(again).toMatchObject({ version: first.version, rule: first.rule });
	expect(await newestActs(1)).toEqual([act]);
	const heavier = { ...french, weight: 5 };
	const changed = await rules.addRouteRule(ruleFor("second", heavier));
	expect(changed.version).toBe(first.version + 1);
	expect((await rules.listRouteRules({})).rules).toMatchObject([heavier]);
	expect(await newestActs(1)).toMatchObject([
		{ before: { weight: 1 }, after: { weight: 5 } },
	]);
});

test.each<[RuleInit, string, string]>([
	[{ prefix: "33" }, "prefix", "validation_failed"],
	[{ prefix: "+0" }, "prefix", "validation_failed"],
	[{ prefix: "+3361234567" }, "prefix", "validation_failed"],
	[{ sender: "ab" }, "sender", "invalid_sender_id"],
	[{ sender: "x".repeat(16) }, "sender", "validation_failed"],
	[{ organizationId: "Acme" }, "organization_id", "validation_failed"],
	[{ route: "nowhere" }, "route", "unknown_route"],
	[{ route: "" }, "route", "validation_failed"],
	[{ priority: 0 }, "priority", "validation_failed"],
	[{ priority: 101 }, "priority", "validation_failed"],
	[{ weight: 0 }, "weight", "validation_failed"],
	[{ choose: "luck" }, "choose", "validation_failed"],
	[{ weight: 1_001 }, "weight", "validation_failed"],
])(
	"a rule with %j is refused by its field, and nothing changes",
	async (wrong, field, reason) => {
		const before = await rules.listRouteRules({});
		const acts = await newestActs(1);
		const refusal = await rules
			.addRouteRule(ruleFor("second", wrong))
			.catch(domainErrorFrom);
		expect(refusal).toMatchObject({ field, reason });
		expect(await rules.listRouteRules({})).toEqual(before);
		expect(await newestActs(1)).toEqual(acts);
	},
);

test("unknown rules and versions are refused, and callers of one organization", async () => {
	const one = rulesClient(service.running.port, uuidv7());
	expect(
		await Promise.all(
			[
				rules.removeRouteRule({ id: 1_000_000n }),
				rules.listRouteRules({ version: 1_000_000 }),
				rules.explainRoute({ to: "12", sender: "Airtower" }),
				one.listRouteRules({}),
				one.addRouteRule(ruleFor("second")),
				one.removeRouteRule({ id: 1n }),
				one.explainRoute({ to: "+33612345678", sender: "Airtower" }),
			].map(refusalOf),
		),
	).toEqual([
		"unknown_route_rule",
		"unknown_version",
		"invalid_phone_number",
		"organization_mismatch",
		"organization_mismatch",
		"organization_mismatch",
		"organization_mismatch",
	]);
});

test("the first rule says what it closes: a number without a rule has no route then, and its message is refused and costs nothing", async () => {
	const organization = await organizationWith(service, 5);
	const { closes } = await rules.addRouteRule(ruleFor("second", french));
	expect(closes).toMatch(/only messages to \+33 have a route now/);
	const refused = await sendTo(organization, "+447400123456");
	expect(refused?.result.value).toMatchObject({
		reason: "no_route",
		field: "to",
	});
	expect(await explain("+447400123456")).toMatchObject({
		route: "",
		refusal: "no_route",
	});
	expect(acceptedOf(await sendTo(organization, "+33612345678")).route).toBe(
		"second",
	);
	expect(await storedCount(service, organization)).toBe(1);
	await expectExact(service, organization, 5);
});

test("while the routes that may take a message are only paused it is refused for now, and its key is free again", async () => {
	const organization = await organizationWith(service, 5);
	await rules.addRouteRule(ruleFor("second", french));
	await setRouteState(service, "second", "paused");
	const key = { key: "once", fingerprint: new Uint8Array(32) };
	const messages = [messageTo(organization, { idempotency: key })];
	const send = async () =>
		(await service.messaging.sendMessages({ messages })).results[0];
	expect(reasonOf(await send())).toBe("service_unavailable");
	expect(await explain()).toMatchObject({
		refusal: "no_active_route",
		leftOut: [
			{ route: "first", reason: "no_rule" },
			{ route: "second", reason: "paused" },
			{ route: "third", reason: "no_rule" },
		],
	});
	await setRouteState(service, "second", "active");
	expect(acceptedOf(await send()).route).toBe("second");
	await expectExact(service, organization, 5);
});

test("a message remembers the version of the rules that chose for it, and its trace shows it", async () => {
	const organization = await organizationWith(service, 5);
	const { version } = await rules.addRouteRule(ruleFor("third", french));
	const messageId = await callSend(service, organization);
	await rules.addRouteRule(ruleFor("second", { prefix: "+336" }));
	expect(await service.admin.traceMessage({ messageId })).toMatchObject({
		route: "third",
		rulesVersion: version,
	});
});

test("a route that a rule names is not removed", async () => {
	await rules.addRouteRule(ruleFor("third", french));
	await setRouteState(service, "third", "paused");
	const removal = service.admin.setRouteState({
		code: "third",
		state: "removed",
	});
	expect(await removal.catch(domainErrorFrom)).toMatchObject({
		reason: "route_in_use",
		message: expect.stringContaining("Rules name the route"),
	});
});

async function untilKnownElsewhere(version: number): Promise<void> {
	const elsewhere = rulesClient(other.port);
	await eventually(async () =>
		expect(await explain(undefined, elsewhere)).toMatchObject({ version }),
	);
}

test("another process takes up what is changed", async () => {
	const { version } = await rules.addRouteRule(ruleFor("second", french));
	await untilKnownElsewhere(version);
	expect(await explain(undefined, rulesClient(other.port))).toMatchObject({
		route: "second",
	});
});

test("40 changes of rules under load: no message is refused, lost or doubled, and each has the route that the rules of its version choose", async () => {
	const quota = 1_000_000;
	const organization = await organizationWith(service, quota);
	const { version } = await rules.addRouteRule(ruleFor("first"));
	await untilKnownElsewhere(version);
	const clients = [service.messaging, clientsOf(other.port).messaging];
	const numbers = ["+33612345678", "+33712345678", "+447400123456"];
	const accepted = new Map<string, string>();
	let isOver = false;
	const load = clients.map(async (client) => {
		while (!isOver) {
			const messages = numbers.map((to) => messageTo(organization, { to }));
			const { results } = await client.sendMessages({ messages });
			for (const [nth, result] of results.entries())
				accepted.set(acceptedOf(result).messageId, numbers[nth] ?? "");
		}
	});
	const changes: RuleInit[] = Array.from({ length: 20 }, (_, nth) => ({
		prefix: ["+33", "+336", "+44", "+447"][nth % 4] ?? "",
		route: ["second", "third", "first"][nth % 3] ?? "",
		weight: 1 + nth,
		priority: 1 + (nth % 2),
	}));
	const change = async () => {
		for (const rule of changes) {
			const { rule: added } = await rules.addRouteRule(ruleFor("", rule));
			const seen = accepted.size;
			await eventually(() => expect(accepted.size).toBeGreaterThan(seen + 10));
			await rules.removeRouteRule({ id: added?.id ?? 0n });
		}
	};
	await Promise.all([change().finally(() => (isOver = true)), ...load]);

	const stored = await storedRoutes(service, organization);
	expect(stored.map(({ id }) => id)).toEqual([...accepted.keys()].toSorted());
	await expectExact(service, organization, quota);
	const active = ["first", "second", "third"].map((code) => ({
		code,
		state: "active" as const,
		health: "up" as const,
	}));
	const versions = new Set(stored.map((one) => one.rulesVersion ?? 0));
	const tables = new Map(
		await Promise.all(
			[...versions].map(async (version) => {
				const rules = await listRouteRules(service.sql, version);
				return [version, buildRouteTable(version, rules, active)] as const;
			}),
		),
	);
	expect(versions.size).toBeGreaterThan(3);
	for (const { id, route, rulesVersion, queuedOn } of stored) {
		const table = tables.get(rulesVersion ?? 0);
		const request = {
			recipient: accepted.get(id) ?? "",
			sender: "Airtower",
			organizationId: organization,
		};
		expect(table && chooseRoute(table, request, id)).toEqual({ route });
		expect(queuedOn).toBe(route);
	}
});
