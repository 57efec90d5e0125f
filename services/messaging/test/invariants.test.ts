import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	MESSAGE_STATES,
	type MessageState,
} from "../src/domain/message-state.ts";
import type { PartOutcome } from "../src/domain/submit-result.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { retryReceipts } from "../src/jobs/retry-receipts.ts";
import type { OutgoingMessage } from "../src/operators/operator.ts";
import { letLeaseRunOut } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	retryAll,
	sendAll,
	startTestMessaging,
	type TestMessaging,
	type TestReplica,
} from "./support/messaging.ts";
import { makeAllDue, outcomes } from "./support/rows.ts";
import {
	acceptedAs,
	refusedForGood,
	refusedForNow,
	throttled,
	unanswered,
	unclear,
	unsent,
} from "./support/scripted-operator.ts";

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

afterAll(async () => {
	await messaging.close();
});

/** What an operator may answer, most of it trouble. */
const OUTCOMES: readonly PartOutcome["kind"][] = [
	"accepted",
	"refused",
	"throttled",
	"unclear",
	"unsent",
	"unknown",
];

const step = fc.record({
	action: fc.constantFrom(
		"dispatch",
		"dispatch",
		"receipts",
		"time",
		"freeze",
		"crash",
	),
	seed: fc.nat(1_000_000),
});

const life = fc.record({
	messages: fc.integer({ min: 1, max: 8 }),
	parts: fc.integer({ min: 1, max: 3 }),
	steps: fc.array(step, { minLength: 3, maxLength: 12 }),
});

/** A repeatable stream of numbers within [0, 1). */
function numbersFrom(seed: number): () => number {
	let state = seed + 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

interface World {
	/** Ids that the operator has given, per submit: what may get a receipt. */
	readonly taken: string[];
	/** Texts of the parts that the operator has, with how often. */
	readonly submits: Map<string, number>;
	random: () => number;
}

function answer(
	world: World,
	message: OutgoingMessage,
	part: number,
): PartOutcome {
	const kind = OUTCOMES[Math.floor(world.random() ** 2 * OUTCOMES.length)];
	if (kind === "accepted" || kind === "unknown") {
		const place = `${message.messageId} ${part}`;
		world.submits.set(place, (world.submits.get(place) ?? 0) + 1);
	}
	switch (kind) {
		case "refused":
			return world.random() < 0.2 ? refusedForGood : refusedForNow;
		case "throttled":
			return throttled;
		case "unclear":
			return unclear;
		case "unsent":
			return unsent;
		case "unknown":
			return unanswered;
		default: {
			const id = `${message.messageId}-${part}-${world.taken.length}`;
			world.taken.push(id);
			return acceptedAs(id);
		}
	}
}

async function deliverReceipts(world: World, replica: TestReplica) {
	const states = ["delivered", "delivered", "failed", "intermediate"] as const;
	for (const id of world.taken)
		if (world.random() < 0.5)
			await replica.operator.receipt(
				id,
				states[Math.floor(world.random() * states.length)] ?? "delivered",
			);
	await retryReceipts(replica.ctx);
}

/** The process is gone, or asleep, in the middle of its work; another takes over. */
async function abandon(replica: TestReplica, next: TestReplica) {
	const asleep = Promise.withResolvers<void>();
	const script = replica.operator.script;
	replica.operator.script = async (message, part) => {
		await asleep.promise;
		return script(message, part);
	};
	await dispatchMessages(replica.ctx, replica.dispatcher);
	await letLeaseRunOut(replica);
	await rescueDispatch(next.ctx);
	return asleep.resolve;
}

async function replicaOf(world: World): Promise<TestReplica> {
	const replica = await messaging.replica();
	replica.operator.script = (message, part) => answer(world, message, part);
	return replica;
}

async function live({
	messages,
	parts,
	steps,
}: {
	messages: number;
	parts: number;
	steps: { action: string; seed: number }[];
}) {
	const { sql } = messaging;
	const organization = await organizationWith(messaging, messages);
	const world: World = { taken: [], submits: new Map(), random: Math.random };
	const ids = await sendAll(
		messaging,
		Array.from({ length: messages }, () => messageTo(organization)),
	);
	let active = await replicaOf(world);
	active.operator.parts = parts;
	const zombies: [TestReplica, () => void][] = [];
	for (const { action, seed } of steps) {
		world.random = numbersFrom(seed);
		if (action === "dispatch") await dispatchAll(active);
		else if (action === "receipts") await deliverReceipts(world, active);
		else if (action === "time") await makeAllDue(sql);
		else {
			const next = await replicaOf(world);
			next.operator.parts = parts;
			zombies.push([active, await abandon(active, next)]);
			active = next;
		}
	}
	for (const [zombie, wake] of zombies) {
		wake();
		await zombie.dispatcher.idle();
	}
	return { ids, world, active, organization };
}

/** From here on the operator takes everything and reports everything as delivered. */
async function calmDown(world: World, active: TestReplica) {
	active.operator.script = (message, part) => {
		const id = `${message.messageId}-${part}-${world.taken.length}`;
		world.taken.push(id);
		return acceptedAs(id);
	};
	for (let round = 0; round < 3; round++) {
		await makeAllDue(messaging.sql);
		await dispatchAll(active);
	}
	await Promise.all(
		world.taken.map((id) => active.operator.receipt(id, "delivered")),
	);
	await makeAllDue(messaging.sql);
	await retryAll(active);
}

test("whatever operators, receipts, crashes and zombies do: no state goes back, none is stuck, one event for each end", async () => {
	const { sql } = messaging;
	await fc.assert(
		fc.asyncProperty(life, async (plan) => {
			const { ids, world, active } = await live(plan);
			await calmDown(world, active);
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
					// Sent twice without an answer: held until its validity ends.
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
