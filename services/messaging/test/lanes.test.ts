import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveMessages } from "../src/store/dispatch/dispatch-settles.ts";
import {
	dispatchAll,
	type MessageInit,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import { acceptedAs } from "./support/scripted-operator.ts";

/** Segments that wait for the operator's response at a time. */
const WINDOW = 10;

let messaging: TestMessaging;
let organization: string;
/** Let the operator respond to what it has, in order. */
let responses: (() => void)[];

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
	messaging.operator.slots = WINDOW;
	responses = [];
	messaging.operator.script = ({ messageId }) =>
		new Promise((resolve) => {
			responses.push(() => resolve(acceptedAs(messageId)));
		});
});

afterEach(async () => {
	messaging.operator.script = ({ messageId }) => acceptedAs(messageId);
	for (const respond of responses) respond();
	await messaging.dispatcher.idle();
	await messaging.close();
});

function many(count: number, priority: string, owner = organization) {
	const messages = Array.from(
		{ length: count },
		(): MessageInit => messageTo(owner, { priority }),
	);
	return sendAll(messaging, messages);
}

/** Lanes of what was submitted, in order. */
const lanes = () => messaging.operator.submits.map(({ lane }) => lane);

async function respondTo(count: number): Promise<void> {
	for (const respond of responses.splice(0, count)) respond();
	await eventually(() =>
		expect(messaging.dispatcher.underWay()).toBe(responses.length),
	);
}

test("a one-time password goes out at once while bulk has the window and waits for responses", async () => {
	const { dispatcher, operator } = messaging;
	await many(100, "bulk");
	await dispatcher.round();
	await dispatcher.round();
	expect(lanes()).toEqual(Array(WINDOW - 1).fill(2));
	const id = await sendOne(
		messaging,
		messageTo(organization, { priority: "otp" }),
	);
	dispatcher.workAnnounced();
	expect(await dispatcher.round()).toBe(1);
	expect(operator.submits.at(-1)).toMatchObject({ messageId: id, lane: 0 });
});

test("the loop takes a one-time password that is announced while it waits for bulk's responses", async () => {
	const { dispatcher, operator } = messaging;
	await many(100, "bulk");
	const stop = new AbortController();
	const { signal } = stop;
	const loop = (async () => {
		while (!signal.aborted) await dispatcher.nextRound(signal);
	})();
	await eventually(() => expect(lanes()).toHaveLength(WINDOW - 1));
	const id = await sendOne(
		messaging,
		messageTo(organization, { priority: "otp" }),
	);
	dispatcher.workAnnounced();
	await eventually(() => expect(operator.submits.at(-1)?.messageId).toBe(id));
	expect(responses).toHaveLength(WINDOW);
	stop.abort();
	await loop;
});

test("bulk has all of the window but a tenth while nothing else waits, and normal messages have all of it", async () => {
	const { dispatcher } = messaging;
	await many(20, "bulk");
	expect(await dispatcher.round()).toBe(WINDOW - 1);
	await respondTo(WINDOW - 1);
	await many(20, "");
	dispatcher.workAnnounced();
	await dispatcher.round();
	expect(responses).toHaveLength(WINDOW);
});

test("however many one-time passwords wait, bulk has its share, and the other way round", async () => {
	await many(500, "otp");
	await many(500, "bulk");
	while (lanes().length < 350) {
		await messaging.dispatcher.round();
		await respondTo(WINDOW / 2);
	}
	const bulk = lanes().filter((lane) => lane === 2).length;
	expect(bulk / lanes().length).toBeGreaterThan(0.25);
	expect(bulk / lanes().length).toBeLessThan(0.32);
});

test("bulk is not starved where the window becomes free by one", async () => {
	await many(100, "otp");
	await many(100, "");
	await many(100, "bulk");
	while (lanes().length < 100) {
		await messaging.dispatcher.round();
		await respondTo(1);
	}
	expect(lanes().filter((lane) => lane === 2).length).toBeGreaterThan(15);
	expect(lanes().filter((lane) => lane === 1).length).toBeGreaterThan(25);
});

test("a flood of one organization's one-time passwords leaves another's its turn", async () => {
	const { dispatcher, operator } = messaging;
	const other = await organizationWith(messaging, 10);
	await many(300, "otp");
	await dispatcher.round();
	await respondTo(WINDOW);
	await dispatcher.round();
	await sendOne(messaging, messageTo(other, { priority: "otp" }));
	dispatcher.workAnnounced();
	await respondTo(WINDOW);
	await dispatcher.round();
	expect(
		operator.submits
			.slice(-WINDOW)
			.filter(({ organizationId }) => organizationId === other),
	).toHaveLength(1);
});

test("how long messages wait for their first attempt is measured by lane, also of lanes that had none yet", async () => {
	const { laneWait } = messaging.ctx.telemetry;
	const counts = async () =>
		(await laneWait.get()).values
			.filter(({ metricName }) => metricName?.endsWith("_count"))
			.map(({ labels, value }) => [labels.lane, value]);
	expect(await counts()).toEqual([
		["otp", 0],
		["normal", 0],
		["bulk", 0],
	]);
	await many(2, "otp");
	await many(1, "bulk");
	expect(await messaging.dispatcher.round()).toBe(3);
	await messaging.sql`update dispatch set token = null`;
	expect(await messaging.dispatcher.round()).toBe(3);
	expect(await counts()).toEqual([
		["otp", 2],
		["normal", 0],
		["bulk", 1],
	]);
});

test("what moves to another route keeps its lane", async () => {
	const { sql, operator } = messaging;
	const [id = ""] = await many(1, "otp");
	const move = { messageId: id, rulesVersion: null, waitMs: 0 };
	await sql.begin((sql) =>
		moveMessages(sql, [{ ...move, from: operator.code, to: "other" }]),
	);
	expect(await sql`select route, lane from dispatch`).toEqual([
		{ route: "other", lane: 0 },
	]);
});

test("an old process's message, which names no lane, is a normal one", async () => {
	await many(1, "");
	const rows = await messaging.sql`
		select dispatch.lane, messages.lane as shown
		from dispatch
		join messages on messages.id = message_id
	`;
	expect(rows).toEqual([{ lane: 1, shown: 1 }]);
	messaging.operator.script = ({ messageId }) => acceptedAs(messageId);
	await dispatchAll(messaging);
	expect(lanes()).toEqual([1]);
});
