import type { RunningService } from "@airtower/platform/service/create-service";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readMessagingConfig } from "../src/config.ts";
import {
	createWorkNotifier,
	listenForWork,
} from "../src/dispatching/work-notice.ts";
import { startMessaging } from "../src/service.ts";
import { clientsOf } from "./support/clients.ts";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import {
	createScriptedOperator,
	type ScriptedOperator,
} from "./support/scripted-operator.ts";
import {
	settingsFor,
	startTestService,
	type TestService,
} from "./support/service.ts";

/** The process that delivers, and beside it one that only serves calls. */
let delivering: TestService;
let accepting: RunningService;
let unusedOperator: ScriptedOperator;

beforeAll(async () => {
	delivering = await startTestService();
	unusedOperator = createScriptedOperator();
	const env = settingsFor(delivering.database, { MESSAGING_ROLE: "accept" });
	accepting = await startMessaging(readMessagingConfig(env), {
		log: silentLog,
		accounts: delivering.ledger.client,
		operators: [unusedOperator],
	});
});

afterAll(async () => {
	await accepting.close();
	await delivering.close();
});

function noticeCounter() {
	const { schema } = delivering.database;
	const sql = delivering.database.connect(1);
	let notices = 0;
	return {
		notices: () => notices,
		listen: async () => {
			const end = await listenForWork(sql, schema, () => {
				notices++;
			});
			onTestFinished(end);
		},
	};
}

test("what one process accepts, the other delivers", async () => {
	const organizationId = await organizationWith(delivering, 10);
	const { messaging } = clientsOf(accepting.port);
	const { results } = await messaging.sendMessages({
		messages: [messageTo(organizationId)],
	});
	const { messageId } = acceptedOf(results[0]);
	await eventually(() =>
		expect(
			delivering.operator.submits.map((submit) => submit.messageId),
		).toContain(messageId),
	);
	expect(unusedOperator.submits).toEqual([]);
});

test("a process that does not deliver holds no lease that others would have to take over", async () => {
	const [row] = await delivering.sql<{ count: number }[]>`
		select count(*) from leases
	`;
	expect(row?.count).toBe(1);
});

test("a process that does not deliver tells how old the oldest message is that nobody sends", async () => {
	const { operator } = delivering;
	operator.bound = false;
	onTestFinished(() => {
		operator.bound = true;
	});
	const organizationId = await organizationWith(delivering, 10);
	await clientsOf(accepting.port).messaging.sendMessages({
		messages: [messageTo(organizationId)],
	});
	await eventually(async () => {
		const metrics = await fetch(
			`http://127.0.0.1:${accepting.opsPort}/metrics`,
		);
		const age = /^messaging_unsent_age_seconds\{.*\} (.+)$/m.exec(
			await metrics.text(),
		)?.[1];
		expect(Number(age)).toBeGreaterThan(0);
	});
});

test("an accepted message is announced", async () => {
	const counter = noticeCounter();
	await counter.listen();
	const before = counter.notices();
	const organizationId = await organizationWith(delivering, 10);
	await clientsOf(accepting.port).messaging.sendMessages({
		messages: [messageTo(organizationId)],
	});
	await eventually(() => expect(counter.notices()).toBeGreaterThan(before));
});

test("a burst is announced at once and once more after it, not for each message", async () => {
	const counter = noticeCounter();
	await counter.listen();
	const before = counter.notices();
	const { sql, schema } = delivering.database;
	const notify = createWorkNotifier(sql, schema, silentLog);
	for (let index = 0; index < 100; index++) notify();
	await eventually(() => expect(counter.notices()).toBe(before + 2));
});

test("the listener hears again after its connection was lost", async () => {
	const counter = noticeCounter();
	await counter.listen();
	const before = counter.notices();
	const { sql, schema } = delivering.database;
	await sql`
		select pg_terminate_backend(pid)
		from pg_stat_activity
		where query ilike ${`listen "${schema}_work"`}
	`;
	// Listening anew counts too: what came in between was not heard.
	await eventually(() => expect(counter.notices()).toBeGreaterThan(before));
	const again = counter.notices();
	createWorkNotifier(sql, schema, silentLog)();
	await eventually(() => expect(counter.notices()).toBeGreaterThan(again));
});
