import { transaction } from "@airtower/platform/database/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import { dispatchOf } from "./support/rows.ts";
import { acceptedAs } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

test("what is submitted stays within the operator's capacity", async () => {
	const { operator, dispatcher } = messaging;
	await sendAll(
		messaging,
		Array.from({ length: 30 }, () => messageTo(organization)),
	);
	operator.slots = 10;
	const release: (() => void)[] = [];
	operator.script = () =>
		new Promise((resolve) => {
			release.push(() => resolve(acceptedAs(`id-${release.length}`)));
		});
	expect(await dispatcher.round()).toBe(10);
	expect(await dispatcher.round()).toBe(0);
	expect(operator.submits).toHaveLength(10);
	for (const response of release) response();
	await dispatcher.idle();
});

test("what has its response keeps its place in the window until it is recorded", async () => {
	const { operator, dispatcher, sql } = messaging;
	await sendAll(
		messaging,
		Array.from({ length: 30 }, () => messageTo(organization)),
	);
	operator.slots = 10;
	const response = Promise.withResolvers<void>();
	operator.script = async ({ messageId }) => {
		await response.promise;
		return acceptedAs(messageId);
	};
	expect(await dispatcher.round()).toBe(10);
	await transaction(sql, async (sql) => {
		await sql`lock table dispatch in exclusive mode`;
		response.resolve();
		await eventually(() => expect(operator.capacity()).toBe(10));
		expect(await dispatcher.round()).toBe(0);
	});
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(30);
});

test("an operator that is not bound gets nothing claimed", async () => {
	const { operator, dispatcher, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	operator.bound = false;
	expect(await dispatcher.round()).toBe(0);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" });
});

test("a flood of one organization does not hold up another's messages", async () => {
	const { operator } = messaging;
	const quiet = await organizationWith(messaging, 10);
	for (let batch = 0; batch < 4; batch++)
		await sendAll(
			messaging,
			Array.from({ length: 500 }, () => messageTo(organization)),
		);
	const ids = await sendAll(
		messaging,
		Array.from({ length: 10 }, () => messageTo(quiet)),
	);
	operator.slots = 10;
	await dispatchAll(messaging);
	const order = operator.submits.map((submit) => submit.messageId);
	expect(order).toHaveLength(2_010);
	const last = Math.max(...ids.map((id) => order.indexOf(id)));
	expect(last).toBeLessThan(50);
});

test("more organizations than places take turns", async () => {
	const { operator } = messaging;
	const organizations = await Promise.all(
		Array.from({ length: 30 }, () => organizationWith(messaging, 10)),
	);
	for (const id of organizations)
		await sendAll(
			messaging,
			Array.from({ length: 3 }, () => messageTo(id)),
		);
	operator.slots = 4;
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(90);
	const owners = await messaging.sql<{ id: string; owner: string }[]>`
		select id, organization_id as owner
		from messages
	`;
	const ownerOf = new Map(owners.map((row) => [row.id, row.owner]));
	const firstRound = operator.submits
		.slice(0, 30)
		.map((submit) => ownerOf.get(submit.messageId));
	expect(new Set(firstRound).size).toBeGreaterThan(25);
});
