import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	MESSAGE_STATES,
	type MessageState,
} from "../src/domain/message-state.ts";
import { startTestMessaging, type TestMessaging } from "./support/messaging.ts";
import { outcomes } from "./support/rows.ts";
import { calmDown, life, live } from "./support/troubled-lives.ts";

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging();
	await messaging.sql.unsafe(`
		create table status_log (
			position bigint generated always as identity,
			message_id uuid,
			old_status text,
			new_status text
		);
		create function log_status() returns trigger language plpgsql as $$
		begin
			insert into status_log (message_id, old_status, new_status)
			values (new.id, old.status, new.status);
			return null;
		end $$;
		create trigger log_status after update on messages
		for each row when (old.status <> new.status)
		execute function log_status();
	`);
});

afterAll(() => messaging.close());

test("whatever operators, receipts, crashes and zombies do: no state goes back, none is stuck, one event for each end", async () => {
	const { sql } = messaging;
	await fc.assert(
		fc.asyncProperty(life, async (plan) => {
			const { ids, world, active } = await live(messaging, plan);
			await calmDown(messaging, world, active);
			const rows = await sql<
				{ id: string; status: string; reason: string | null; marked: boolean }[]
			>`
				select id, status, reason, possible_duplicate as marked
				from messages
				where id = any(${ids}::uuid[])
			`;
			const events = await outcomes(sql);
			for (const { id, status, reason, marked } of rows) {
				const own = events.filter((event) => event.messageId === id);
				const isEnd = status === "delivered" || status === "failed";
				expect(own.map((event) => event.errorCode || event.status)).toEqual(
					isEnd ? [reason ?? status] : [],
				);
				if (!isEnd) {
					// Sent twice without a response: held until its validity ends.
					expect(status).toBe("unknown");
					expect(marked).toBe(true);
				}
			}
			const log = await sql<{ from: string; to: string }[]>`
				select old_status as from, new_status as to
				from status_log
				where message_id = any(${ids}::uuid[])
			`;
			const rank = (state: string) =>
				MESSAGE_STATES.indexOf(state as MessageState);
			for (const { from, to } of log)
				expect(rank(to), `${from} -> ${to}`).toBeGreaterThan(rank(from));
			const queue = await sql<{ unknown: boolean }[]>`
				select unknown
				from dispatch
				where message_id = any(${ids}::uuid[])
			`;
			const stuck = rows.filter((row) => row.status === "unknown");
			expect(queue.map((row) => row.unknown)).toEqual(stuck.map(() => true));
		}),
		{ numRuns: 30 },
	);
});
