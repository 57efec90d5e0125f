import {
	serveRoutes,
	type TestRpcServer,
} from "@airtower/platform/testing/rpc-server";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UnknownPolicy } from "../src/domain/attempt-outcome.ts";
import {
	MESSAGE_STATES,
	type MessageState,
	NEXT_MESSAGE_STATES,
} from "../src/domain/message-state.ts";
import { expireMessages } from "../src/jobs/expire-messages.ts";
import { giveBackAbandoned } from "../src/jobs/give-back-quota.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { rpcRoutes } from "../src/rpc/index.ts";
import { letLeaseRunOut } from "./support/leases.ts";
import {
	dispatch,
	passReceipts,
	passTime,
	report,
	respond,
	runStep,
	type Step,
	stage,
	steps,
} from "./support/lives/steps.ts";
import { World } from "./support/lives/world.ts";
import { organizationWith } from "./support/messaging.ts";
import { outcomes } from "./support/rows.ts";
import { startTwoRoutes, type TwoRoutes } from "./support/two-routes.ts";

const QUOTA = 1_000;
/** More than any message needs to come to rest, with its waits, its repetition and another route. */
const ROUNDS = 8;

let two: TwoRoutes;
let server: TestRpcServer;

beforeAll(async () => {
	two = await startTwoRoutes();
	server = await serveRoutes("messaging", rpcRoutes(two.messaging.ctx));
	await two.messaging.sql.unsafe(`
		create table status_log (message_id uuid, old_status text, new_status text);
		create function log_status() returns trigger language plpgsql as $$
		begin
			insert into status_log values (new.id, old.status, new.status);
			return null;
		end $$;
		create trigger log_status after update on messages
		for each row when (old.status <> new.status)
		execute function log_status();
	`);
});

afterAll(async () => {
	await server.close();
	await two.close();
});

interface Plan {
	readonly parts: number;
	readonly policy: UnknownPolicy;
	readonly steps: readonly Step[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
	parts: fc.constantFrom(1, 2),
	policy: fc.constantFrom("setting", "failover", "hold"),
	steps,
});

async function live({ parts, policy, steps }: Plan) {
	const { messaging } = two;
	await messaging.sql`
		truncate dispatch, scheduled_messages, receipts, unanswered, quota_releases, outbox, status_log, leases cascade
	`;
	two.set({ first: "up", second: "up" });
	const organization = await organizationWith(messaging, QUOTA);
	const world = new World(two, parts, policy);
	await world.startProcess();
	for (const name of ["accept", "accept"])
		await runStep(world, { name, seed: 1 }, { organization, server });
	for (const step of steps)
		await runStep(world, step, { organization, server });
	await rest(world);
	return { world, organization };
}

/** All that is late comes, operators take everything and report it, and what nobody told of is over. */
async function rest(world: World): Promise<void> {
	const { sql } = two.messaging;
	world.isCalm = true;
	respond(world, 1);
	await world.quiet();
	two.set({ first: "up", second: "up" });
	const last = await world.startProcess();
	const { ctx } = last.replica;
	for (const { replica } of world.processes)
		if (replica !== last.replica) await letLeaseRunOut(replica);
	await rescueDispatch(ctx);
	for (let round = 0; round < ROUNDS; round++) {
		await stage(world, last);
		await passTime(world);
		await passReceipts(world, last);
		await dispatch(last);
		await world.quiet();
	}
	for (const one of world.takes) await report(world, last, one);
	for (let look = 0; look < 3; look++) await passReceipts(world, last);
	await sql`update dispatch set due_at = now(), expires_at = now() where unknown`;
	await expireMessages(ctx);
	await sql`update quota_releases set canceled_at = now() - interval '1 hour'`;
	await giveBackAbandoned(ctx);
}

interface Row {
	readonly id: string;
	readonly status: MessageState;
	readonly reason: string | null;
	readonly marked: boolean;
}

function expectTruth(world: World, { id, status, marked }: Row): void {
	expect(status === "canceled").toBe(world.canceled.has(id));
	for (let part = 1; part <= world.parts; part++) {
		const takes = world.takes.filter(
			(one) => one.messageId === id && one.part === part,
		);
		if (takes.length > 1) expect(marked).toBe(true);
		if (world.resolved.has(id)) continue;
		expect(takes.length).toBeLessThanOrEqual(2);
		if (status === "delivered")
			expect(takes.map(({ end }) => end)).toContain("delivered");
	}
}

test("whatever operators, processes, clients and admins do: none goes twice without a reason, no state goes back, none is stuck, one event for each end, all are paid for", async () => {
	const { sql, ledger } = two.messaging;
	await fc.assert(
		fc.asyncProperty(plans, async (plan) => {
			const { world, organization } = await live(plan);
			expect(world.violations).toEqual([]);
			const rows = await sql<Row[]>`
				select id, status, reason, possible_duplicate as marked
				from messages
				where organization_id = ${organization}
			`;
			expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(world.ids));
			const events = await outcomes(sql);
			for (const row of rows) {
				const own = events.filter(({ messageId }) => messageId === row.id);
				expect(NEXT_MESSAGE_STATES[row.status], row.status).toEqual([]);
				expect(own.map((event) => event.errorCode || event.status)).toEqual([
					row.reason ?? row.status,
				]);
				expectTruth(world, row);
			}
			const changes = await sql<{ from: MessageState; to: MessageState }[]>`
				select old_status as from, new_status as to
				from status_log
			`;
			const rank = (state: MessageState) => MESSAGE_STATES.indexOf(state);
			for (const { from, to } of changes)
				expect(rank(to), `${from} -> ${to}`).toBeGreaterThan(rank(from));
			for (const table of ["dispatch", "scheduled_messages", "quota_releases"])
				expect((await sql`select from ${sql(table)}`).count).toBe(0);
			expect(ledger.balances.get(organization)).toBe(
				QUOTA - rows.length + world.canceled.size,
			);
		}),
		{ numRuns: 30 },
	);
});
