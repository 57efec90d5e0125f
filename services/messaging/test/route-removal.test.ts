import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertMessages } from "../src/store/messages.ts";
import {
	insertRoute,
	lockRoute,
	readRouteUse,
	updateRouteState,
} from "../src/store/routes/routes.ts";
import {
	messageTo,
	organizationWith,
	reasonOf,
	send,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { expectExact, storedCount } from "./support/stored.ts";

/** The route that the test's process takes for new messages, whatever the table says. */
const CODE = "scripted";

let messaging: TestMessaging;
let organization: string;

beforeAll(async () => {
	messaging = await startTestMessaging();
	organization = await organizationWith(messaging, 5);
	await insertRoute(messaging.sql, {
		code: CODE,
		kind: "smpp",
		state: "draining",
		settings: Buffer.from("sealed"),
	});
});

afterAll(() => messaging.close());

/** Resolves once a statement that holds these words waits for a lock. */
async function waitsForLock(words: string): Promise<void> {
	await eventually(async () => {
		const waiting = await messaging.sql`
			select
			from pg_stat_activity
			where wait_event_type = 'Lock'
			and position(${words} in query) > 0
			and pid <> pg_backend_pid()
			and datname = current_database()
		`;
		expect(waiting.length).toBeGreaterThan(0);
	});
}

test("a removal waits for messages that are being stored for its route, and sees them", async () => {
	const message = {
		id: uuidv7(),
		organizationId: organization,
		recipient: "+33612345678",
		body: "Hello",
		senderId: uuidv7(),
		senderValue: "Airtower",
		clientReference: null,
		campaignId: null,
		segments: 1,
		lane: 1 as const,
		concatReference: 0,
		route: CODE,
		rulesVersion: 0,
		messageClass: null,
		sendAt: null,
	};
	const inserted = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const storing = transaction(messaging.sql, async (sql) => {
		await insertMessages(sql, [message], [], {
			notBefore: new Date(0),
			deadline: new Date(Date.now() + 3_600_000),
			validityMs: 3_600_000,
		});
		inserted.resolve();
		await commit.promise;
	});
	await inserted.promise;
	const removal = transaction(messaging.sql, async (sql) => {
		await lockRoute(sql, CODE, true);
		return readRouteUse(sql, CODE);
	});
	await waitsForLock("from routes");
	commit.resolve();
	await storing;
	expect(await removal).toMatchObject({ isInUse: true });
	await messaging.sql`delete from dispatch`;
	await messaging.sql`delete from messages`;
});

test("messages that are to be stored for a route wait for its removal, are refused, and their quota goes back", async () => {
	const sent = await transaction(messaging.sql, async (sql) => {
		await lockRoute(sql, CODE, true);
		await updateRouteState(sql, CODE, "removed");
		const sent = send(messaging, [messageTo(organization)]);
		await waitsForLock("locked_routes");
		return { sent };
	});
	expect((await sent.sent).map(reasonOf)).toEqual(["service_unavailable"]);
	expect(await storedCount(messaging, organization)).toBe(0);
	await expectExact(messaging, organization, 5);
});
