import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isCommitOverdue } from "../src/store/missing-messages.ts";
import {
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";

const BACK_MS = -5 * 60_000;
const FORWARD_MS = 60_000;

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging({ hasMovableClock: true });
});

afterEach(async () => {
	messaging.ledger.beforeResponse = async () => {};
	await messaging.database.setClock(0);
});

afterAll(() => messaging.close());

test.each([
	["5 minutes back", BACK_MS],
	["1 minute forward", FORWARD_MS],
])(
	"a message is not stored after the clock stepped %s: its time cannot be told",
	async (_, stepMs) => {
		const organization = await organizationWith(messaging, 5);
		messaging.ledger.beforeResponse = () => messaging.database.setClock(stepMs);
		const [result] = await send(messaging, [messageTo(organization)]);
		expect(reasonOf(result)).toBe("service_unavailable");
		expect(messaging.ledger.balances.get(organization)).toBe(5);
	},
);

test("nothing is called missing while a transaction runs that began before the clock stepped back", async () => {
	const organization = await organizationWith(messaging, 5);
	const id = await sendOne(messaging, messageTo(organization));
	expect(await isCommitOverdue(messaging.sql)).toBe(false);
	await messaging.database.connect(1).begin(async (open) => {
		await open`update messages set attempts = attempts where id = ${id}`;
		// The view moves the beginnings of all transactions; a step does not.
		await messaging.sql`
			create or replace view pg_stat_activity as
			select pid, datname, application_name, xact_start
			from pg_catalog.pg_stat_activity
		`;
		await messaging.database.setClock(BACK_MS);
		expect(await isCommitOverdue(messaging.sql)).toBe(true);
	});
	expect(await isCommitOverdue(messaging.sql)).toBe(false);
});
