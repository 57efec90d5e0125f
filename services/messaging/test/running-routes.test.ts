import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseSmppRoute } from "../src/operators/route/smpp-route.ts";
import type { Route } from "../src/routes/routes.ts";
import {
	createRunningRoutes,
	type RunningRoutes,
} from "../src/routes/running-routes.ts";
import {
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { messageRow } from "./support/rows.ts";
import {
	createScriptedOperator,
	type ScriptedOperator,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let ctx: TestMessaging["ctx"];
let running: RunningRoutes;
/** Every operator that was opened, in order. */
let opened: ScriptedOperator[];

beforeEach(async () => {
	messaging = await startTestMessaging();
	ctx = { ...messaging.ctx, dispatchers: [] };
	opened = [];
	running = createRunningRoutes(ctx, (route) => {
		const operator = createScriptedOperator(route.code);
		if (route.kind === "smpp") operator.slots = route.window;
		opened.push(operator);
		return operator;
	});
});

afterEach(async () => {
	await running.stopDispatch();
	await running.closeOperators();
	await messaging.close();
});

function route(code: string, more: Partial<Route> = {}): Route {
	const settings = parseSmppRoute(`smpp://u:p@127.0.0.1:9?code=${code}`);
	return { code, state: "active", version: 1, settings, ...more };
}

function runningCodes(): string[] {
	return ctx.dispatchers.map(({ operator }) => operator.code);
}

/** A message that waits for a route. */
async function waiting(code: string): Promise<string> {
	const organization = await organizationWith(messaging, 1);
	const id = await sendOne(messaging, messageTo(organization));
	await messaging.sql`update dispatch set route = ${code} where message_id = ${id}`;
	await messaging.sql`update messages set route = ${code} where id = ${id}`;
	running.wake();
	return id;
}

async function submitted(id: string): Promise<void> {
	await eventually(async () =>
		expect(await messageRow(messaging.sql, id)).toMatchObject({
			status: "submitted",
		}),
	);
}

test("a route that was added sends what waits for it", async () => {
	await running.follow([route("one")]);
	const id = await waiting("two");
	await running.follow([route("one"), route("two")]);
	await submitted(id);
	expect(opened.map(({ code }) => code)).toEqual(["one", "two"]);
});

test("only the operator whose route was changed is told, and none is opened anew", async () => {
	await running.follow([route("one"), route("two")]);
	const settings = { ...route("two").settings, window: 99 };
	await running.follow([route("one"), route("two", { version: 2, settings })]);
	await running.follow([route("one"), route("two", { version: 2, settings })]);
	expect(opened.map(({ changes }) => changes)).toEqual([[], [settings]]);
	expect(runningCodes()).toEqual(["one", "two"]);
});

test("nothing is claimed for a paused route, and all of it once it is resumed", async () => {
	await running.follow([route("one", { state: "paused" }), route("two")]);
	const held = await waiting("one");
	await submitted(await waiting("two"));
	expect(opened[0]?.submits).toEqual([]);
	expect(await messageRow(messaging.sql, held)).toMatchObject({
		status: "accepted",
	});
	await running.follow([route("one", { version: 2 }), route("two")]);
	await submitted(held);
});

test("a draining route sends what it has", async () => {
	await running.follow([route("one", { state: "draining" })]);
	await submitted(await waiting("one"));
});

test("a removed route ends: its connections are closed, its places free", async () => {
	await running.follow([route("one"), route("two")]);
	const token = ctx.lease.token();
	await messaging.sql`update bind_slots set token = ${token}`;
	await running.follow([route("two")]);
	await eventually(() => expect(opened[0]?.isClosed).toBe(true));
	expect(opened[1]?.isClosed).toBe(false);
	expect(runningCodes()).toEqual(["two"]);
	await eventually(async () => {
		const held = await messaging.sql`
			select route
			from bind_slots
			where token = ${token}
		`;
		expect([...held]).toEqual([{ route: "two" }]);
	});
});

test("a route that was removed and added again opens once its former connections are closed", async () => {
	await running.follow([route("one")]);
	const closing = Promise.withResolvers<void>();
	const [former] = opened;
	if (former) former.close = () => closing.promise;
	await running.follow([]);
	await running.follow([route("one")]);
	expect(opened).toHaveLength(1);
	closing.resolve();
	await eventually(async () => {
		await running.follow([route("one")]);
		expect(opened).toHaveLength(2);
	});
	await submitted(await waiting("one"));
});
