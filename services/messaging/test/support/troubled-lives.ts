import fc from "fast-check";
import type { PartOutcome } from "../../src/domain/submit-result.ts";
import { rescueDispatch } from "../../src/jobs/rescue-dispatch.ts";
import { retryReceipts } from "../../src/jobs/retry-receipts.ts";
import type { OutgoingMessage } from "../../src/operators/outgoing-message.ts";
import { letLeaseRunOut } from "./leases.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	retryAll,
	sendAll,
	type TestMessaging,
	type TestReplica,
} from "./messaging.ts";
import { makeAllDue } from "./rows.ts";
import {
	acceptedAs,
	noResponse,
	refusedForGood,
	refusedForNow,
	throttled,
	unclear,
	unsent,
} from "./scripted-operator.ts";

/** What an operator may respond, most of it trouble. */
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

export const life = fc.record({
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

function response(
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
			return noResponse;
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
	await replica.dispatcher.round();
	await letLeaseRunOut(replica);
	await rescueDispatch(next.ctx);
	return asleep.resolve;
}

async function replicaOf(
	messaging: TestMessaging,
	world: World,
): Promise<TestReplica> {
	const replica = await messaging.replica();
	replica.operator.script = (message, part) => response(world, message, part);
	return replica;
}

interface Life {
	readonly messages: number;
	readonly parts: number;
	readonly steps: readonly { readonly action: string; readonly seed: number }[];
}

export async function live(
	messaging: TestMessaging,
	{ messages, parts, steps }: Life,
) {
	const { sql } = messaging;
	const organization = await organizationWith(messaging, messages);
	const world: World = { taken: [], submits: new Map(), random: Math.random };
	const ids = await sendAll(
		messaging,
		Array.from({ length: messages }, () => messageTo(organization)),
	);
	let active = await replicaOf(messaging, world);
	active.operator.parts = parts;
	const zombies: [TestReplica, () => void][] = [];
	for (const { action, seed } of steps) {
		world.random = numbersFrom(seed);
		if (action === "dispatch") await dispatchAll(active);
		else if (action === "receipts") await deliverReceipts(world, active);
		else if (action === "time") await makeAllDue(sql);
		else {
			const next = await replicaOf(messaging, world);
			next.operator.parts = parts;
			zombies.push([active, await abandon(active, next)]);
			active = next;
		}
	}
	for (const [zombie, wake] of zombies) {
		wake();
		await zombie.dispatcher.idle();
	}
	return { ids, world, active };
}

/** From here on the operator takes everything and reports everything as delivered. */
export async function calmDown(
	{ sql }: TestMessaging,
	world: World,
	active: TestReplica,
) {
	active.operator.script = (message, part) => {
		const id = `${message.messageId}-${part}-${world.taken.length}`;
		world.taken.push(id);
		return acceptedAs(id);
	};
	for (let round = 0; round < 3; round++) {
		await makeAllDue(sql);
		await dispatchAll(active);
	}
	await Promise.all(
		world.taken.map((id) => active.operator.receipt(id, "delivered")),
	);
	await makeAllDue(sql);
	await retryAll(active);
}
