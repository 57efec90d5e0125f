import { createLogger } from "@airtower/platform/runtime/log";
import { neverRun, troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportRoutes } from "../src/jobs/routes/report-routes.ts";
import { createRouteWarnings } from "../src/jobs/routes/warn-of-routes.ts";
import { createRouteWatching } from "../src/jobs/routes/watch-routes.ts";
import { createReceiptJudge } from "../src/receipts/receipt-judge.ts";
import {
	listRouteHealth,
	sumRouteConnections,
} from "../src/store/routes/route-connections.ts";
import {
	messageTo,
	organizationWith,
	sendAll,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	createScriptedOperator,
	noResponse,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let lines: Record<string, unknown>[];

beforeEach(async () => {
	lines = [];
	const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
	messaging = await startTestMessaging({
		log: createLogger({ service: "test", level: "info", destination }),
	});
});

afterEach(() => messaging.close());

test("a route that is down while messages wait is told of again and again, with the next try; its end once", async () => {
	const { ctx, operator } = messaging;
	const organization = await organizationWith(messaging, 10);
	const warn = createRouteWarnings(0);
	operator.bound = false;
	operator.lastError = "bind refused: 0x0E";
	operator.nextTryAt = new Date("2026-11-25T08:00:00Z");
	for (let rounds = 0; rounds < 2; rounds++) await warn(ctx);
	expect(lines).toEqual([]);

	await sendAll(
		messaging,
		[1, 2, 3].map(() => messageTo(organization)),
	);
	for (let rounds = 0; rounds < 2; rounds++) await warn(ctx);
	const told = {
		level: "error",
		route: "scripted",
		waiting: 3,
		nextTryAt: "2026-11-25T08:00:00.000Z",
		msg: "route scripted is down for 0 s and 3 messages wait: bind refused: 0x0E; next try 2026-11-25T08:00:00.000Z",
	};
	expect(lines).toMatchObject([told, told]);

	operator.bound = true;
	for (let rounds = 0; rounds < 2; rounds++) await warn(ctx);
	expect(lines.slice(2)).toMatchObject([
		{ level: "info", msg: "route scripted is up again after 0 s" },
	]);
});

test("a short outage is not told of, nor one for which no message waits", async () => {
	const { ctx, operator } = messaging;
	const organization = await organizationWith(messaging, 10);
	await sendAll(messaging, [messageTo(organization)]);
	const warn = createRouteWarnings(3_600_000);
	operator.bound = false;
	for (let rounds = 0; rounds < 3; rounds++) await warn(ctx);
	operator.bound = true;
	await warn(ctx);
	expect(lines).toEqual([]);
});

test("a look at all that waits does for all routes that are down", async () => {
	const other = await messaging.replica({
		operator: createScriptedOperator("other"),
	});
	const { dispatcher, operator } = messaging;
	operator.bound = false;
	other.operator.bound = false;
	const organization = await organizationWith(messaging, 10);
	await sendAll(messaging, [messageTo(organization)]);
	const { sql, fates } = troubledSql(messaging.sql);
	let looks = 0;
	fates.set("from dispatch group by route", (run) => {
		looks++;
		return run();
	});
	const dispatchers = [dispatcher, other.dispatcher];
	const ctx = { ...messaging.ctx, sql, dispatchers };
	const warn = createRouteWarnings(0);
	for (let rounds = 0; rounds < 2; rounds++) await warn(ctx);
	expect(looks).toBe(1);
	expect(lines).toMatchObject([{ route: "scripted", waiting: 1 }]);
});

test("a route that was removed while it was down has been down since it was added again", async () => {
	const { ctx, operator } = messaging;
	operator.bound = false;
	const organization = await organizationWith(messaging, 10);
	await sendAll(messaging, [messageTo(organization)]);
	const warn = createRouteWarnings(0);
	await warn(ctx);
	await warn({ ...ctx, dispatchers: [] });
	await warn(ctx);
	expect(lines).toEqual([]);
	await warn(ctx);
	expect(lines).toHaveLength(1);
});

test("a route that is connected and does badly is told of with the reason", async () => {
	const { ctx, dispatcher } = messaging;
	const { watch } = dispatcher;
	const organization = await organizationWith(messaging, 10);
	await sendAll(messaging, [messageTo(organization)]);
	watch.judge("undecided");
	const ended = Array.from({ length: 20 }, watch.began);
	for (const end of ended)
		end({ total: 1, parts: [{ part: 1, ...noResponse }] });
	watch.judge("undecided");
	const warn = createRouteWarnings(0);
	for (let rounds = 0; rounds < 2; rounds++) await warn(ctx);
	expect(lines).toMatchObject([
		{
			level: "error",
			lastError: "more submits fail than usual",
			msg: "route scripted is down for 0 s and 1 messages wait: more submits fail than usual; next try now",
		},
	]);
});

test("the other processes learn that a route is down also where it could not be stored at first", async () => {
	const { ctx, dispatcher, sql } = messaging;
	const { sql: troubled, fates } = troubledSql(sql);
	const { watchRoutes } = createRouteWatching(createReceiptJudge());
	const round = () => watchRoutes({ ...ctx, sql: troubled });
	await round();
	expect(await listRouteHealth(sql)).toMatchObject([{ health: "up" }]);
	for (const end of Array.from({ length: 20 }, dispatcher.watch.began))
		end({ total: 1, parts: [{ part: 1, ...noResponse }] });
	fates.set("insert into route_connections", neverRun);
	await expect(round()).rejects.toThrow();
	fates.clear();
	await round();
	expect(await listRouteHealth(sql)).toMatchObject([{ health: "down" }]);
});

test("what an operator says of an account is told whatever characters it has", async () => {
	const { ctx, operator, sql } = messaging;
	operator.lastError = `HTTP 401 bad\0account\r\n${"x".repeat(1_000)}`;
	await reportRoutes(ctx);
	const [route] = await sumRouteConnections(sql);
	expect(route?.lastError).toMatch(
		/^HTTP 401 bad\u{FFFD}account\u{FFFD}\u{FFFD}x+$/u,
	);
	expect(route?.lastError).toHaveLength(200);
});
