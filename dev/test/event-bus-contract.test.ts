import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { platformMigrations } from "@airtower/platform/database/migrate";
import { startConsumer } from "@airtower/platform/events/consumer";
import { listDeadLetters } from "@airtower/platform/events/dead-letters";
import {
	type BusEvent,
	type EventBus,
	MAX_PAYLOAD_BYTES,
	type SubscribeOptions,
	type Subscription,
} from "@airtower/platform/events/event-bus";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testDatabase } from "@airtower/platform/testing/database";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
	onTestFinished,
} from "vitest";
import {
	type BusServer,
	openBus,
	sharedKafka,
	startPostgresServer,
} from "./support/bus-server.ts";
import type { HangingMember } from "./support/hanging-member.ts";
import { collect, idsOf, type Received } from "./support/received.ts";

const { source, brokers } = await sharedKafka();

const adapters = [
	{ adapter: "postgres", missing: false, start: startPostgresServer },
	{
		adapter: "kafka",
		missing: source === undefined,
		start: async () => ({
			address: { kind: "kafka", brokers } as const,
			stop: async () => {},
		}),
	},
];

describe.each(adapters)("$adapter event bus", ({ missing, start }) => {
	let server: Pick<BusServer, "address" | "stop">;
	let bus: EventBus;
	let topic: string;
	let group: string;
	let serial = 0;
	const steps: (() => Promise<void>)[] = [];
	const open: Subscription[] = [];

	beforeAll(async () => {
		if (missing) return;
		server = await start();
		steps.unshift(server.stop);
		bus = await openBus(server.address);
		steps.unshift(bus.close);
	});

	afterAll(async () => {
		await closeAll(steps);
	});

	beforeEach(({ skip }) => {
		skip(missing, "no Kafka on this machine");
		serial++;
		topic = `contract.${serial}.${Date.now()}`;
		group = `group.${serial}.${Date.now()}`;
	});

	afterEach(async () => {
		await closeAll(open.splice(0).map(({ close }) => close));
	});

	async function subscribe(
		onBatch: SubscribeOptions["onBatch"],
		options: Partial<SubscribeOptions> = {},
	): Promise<Subscription> {
		const defaults = { group, topics: [topic] };
		const made = await bus.subscribe({ ...defaults, ...options, onBatch });
		open.push(made);
		return made;
	}

	function events(count: number, keys = 1): BusEvent[] {
		return Array.from({ length: count }, (_, at) =>
			testEvent({ topic, key: `key ${at % keys}` }),
		);
	}

	async function publishUntilTaken(batch: readonly BusEvent[]): Promise<void> {
		await eventually(() => bus.publish(batch));
	}

	it("delivers every field of an event as it was published", async () => {
		const received = collect();
		await subscribe(received.onBatch);
		const full = testEvent({
			topic,
			key: "ключ",
			payload: Buffer.from([0, 1, 255]),
			traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		});
		const bare = testEvent({ topic, payload: new Uint8Array() });
		await bus.publish([full, bare]);
		await received.all([full, bare]);
		const byId = new Map(received.events.map((event) => [event.id, event]));
		expect(byId.get(full.id)).toEqual(full);
		expect(byId.get(bare.id)).toEqual({ ...bare, payload: Buffer.from("") });
	});

	it("keeps the order of each key over many publishes", async () => {
		const received = collect();
		await subscribe(received.onBatch);
		const all = events(400, 20);
		for (let at = 0; at < all.length; at += 50)
			await bus.publish(all.slice(at, at + 50));
		await received.all(all);
		for (const [key, published] of Map.groupBy(all, ({ key }) => key))
			expect(received.ids(key)).toEqual(idsOf(published));
	});

	it("takes 500 events in one publish", async () => {
		const received = collect();
		await subscribe(received.onBatch);
		const all = events(500, 7);
		await bus.publish(all);
		await received.all(all);
		expect(received.ids()).toHaveLength(500);
	});

	it("carries records of 900 kB, several in one publish, and refuses one over the limit", async () => {
		const received = collect();
		await subscribe(received.onBatch);
		const all = events(5).map((event, at) => ({
			...event,
			payload: Buffer.alloc(900_000, at + 1),
		}));
		await publishUntilTaken(all);
		await received.all(all);
		for (const event of all) {
			const came = received.events.find(({ id }) => id === event.id);
			expect(Buffer.compare(came?.payload ?? Buffer.of(), event.payload)).toBe(
				0,
			);
		}
		const tooBig = testEvent({
			topic,
			payload: Buffer.alloc(MAX_PAYLOAD_BYTES + 1),
		});
		await expect(bus.publish([tooBig])).rejects.toThrow(RangeError);
	});

	it("gives every group every event", async () => {
		const first = collect();
		const second = collect();
		await subscribe(first.onBatch);
		await subscribe(second.onBatch, { group: `${group}.other` });
		const all = events(50, 5);
		await bus.publish(all);
		await Promise.all([first.all(all), second.all(all)]);
	});

	it("gives a group that is new what was published before anybody subscribed", async () => {
		const all = events(20, 3);
		await bus.publish(all);
		const received = collect();
		await subscribe(received.onBatch);
		await received.all(all);
	});

	it("keeps for a durable group what is published while it is away", async () => {
		const before = collect();
		const first = await subscribe(before.onBatch);
		const early = events(5);
		await bus.publish(early);
		await before.all(early);
		await first.close();
		const late = events(5);
		await bus.publish(late);
		const after = collect();
		await subscribe(after.onBatch);
		await after.all(late);
		expect(after.ids()).toEqual(idsOf(late));
	});

	it("gives each event to one of two members, and lets one take over from the other", async () => {
		const other = await openBus(server.address);
		const [mine, theirs] = [collect(), collect()];
		const slowly = (received: Received) => async (batch: BusEvent[]) => {
			await delay(300);
			await received.onBatch(batch);
		};
		await subscribe(slowly(mine));
		const options = { group, topics: [topic] };
		await other.subscribe({ ...options, onBatch: slowly(theirs) });
		const early = events(100, 20);
		await bus.publish(early);
		await eventually(() => {
			const ids = new Set([...mine.ids(), ...theirs.ids()]);
			expect(ids.size).toBe(100);
		});
		await other.close();
		expect(mine.events.length + theirs.events.length).toBe(100);
		const late = events(100, 20);
		await bus.publish(late);
		await mine.all(late);
	});

	it("delivers a refused batch again, and what follows only after it", async () => {
		const received = collect();
		let refusals = 0;
		await subscribe(async (batch) => {
			if (refusals++ < 2) throw new Error("not now");
			await received.onBatch(batch);
		});
		const all = events(10);
		await bus.publish(all.slice(0, 5));
		await bus.publish(all.slice(5));
		await received.all(all);
		expect(refusals).toBeGreaterThan(2);
		expect(received.ids()).toEqual(idsOf(all));
	});

	it("keeps for the group what a member refused until it closed", async () => {
		const refused = Promise.withResolvers<void>();
		const refusing = await subscribe(async () => {
			refused.resolve();
			throw new Error("not now");
		});
		const all = events(3);
		await bus.publish(all);
		await refused.promise;
		await refusing.close();
		const received = collect();
		await subscribe(received.onBatch);
		await received.all(all);
	});

	it("closes a subscription only when the batch at hand is over", async () => {
		const begun = Promise.withResolvers<void>();
		const finish = Promise.withResolvers<void>();
		let finished = false;
		const subscription = await subscribe(async () => {
			begun.resolve();
			await finish.promise;
			finished = true;
		});
		await bus.publish(events(1));
		await begun.promise;
		const closed = subscription.close();
		finish.resolve();
		await closed;
		expect(finished).toBe(true);
	});

	it("delivers again what a member held when it was killed", async () => {
		const member: HangingMember = { address: server.address, group, topic };
		const script = fileURLToPath(
			new URL("./support/hanging-member.ts", import.meta.url),
		);
		const child = spawn(process.execPath, [script, JSON.stringify(member)], {
			stdio: ["ignore", "pipe", "ignore"],
		});
		try {
			let output = "";
			child.stdout.on("data", (text) => {
				output += text;
			});
			const says = (word: string) =>
				eventually(() => expect(output).toContain(word));
			await says("joined");
			const all = events(10);
			await bus.publish(all);
			await says("holding");
			child.kill("SIGKILL");
			await once(child, "exit");
			const received = collect();
			await subscribe(received.onBatch);
			await received.all(all);
			expect(received.ids()).toEqual(idsOf(all));
		} finally {
			child.kill("SIGKILL");
		}
	});

	it("parks a poison record and lets its partition go on, with effect once", async () => {
		const db = await testDatabase([platformMigrations.inbox]);
		const applied: string[] = [];
		const consumer = await startConsumer({
			...{ sql: db.sql, bus, group, topics: [topic] },
			...{ log: silentLog, metrics: createMetrics("test") },
			apply: async (_sql, batch) => {
				const poison = batch.find(({ type }) => type === "poison");
				if (poison !== undefined)
					throw new DomainError({
						kind: "invalid",
						reason: "bad_payload",
						message: "The payload cannot be read.",
					});
				applied.push(...idsOf(batch));
			},
		});
		const all = events(21);
		const poison = testEvent({ topic, key: "key 0", type: "poison" });
		await bus.publish([...all.slice(0, 10), poison, ...all.slice(10)]);
		await bus.publish(all.slice(0, 3));
		await eventually(() => expect(applied).toHaveLength(21));
		expect(applied).toEqual(idsOf(all));
		const letters = await listDeadLetters(db.sql, group);
		expect(letters).toMatchObject([
			{ reason: "bad_payload", event: { id: poison.id, key: "key 0" } },
		]);
		await consumer.close();
		await db.drop();
	});

	it("gives an ephemeral group what comes after it, each subscription for itself, and forgets it", async () => {
		await bus.publish(events(5, 5));
		const [first, second] = [collect(), collect()];
		const ephemeral = { ephemeral: true };
		const opened = await Promise.all([
			subscribe(first.onBatch, ephemeral),
			subscribe(second.onBatch, ephemeral),
		]);
		const all = events(5, 5);
		await bus.publish(all);
		await Promise.all([first.all(all), second.all(all)]);
		expect(first.ids()).toHaveLength(5);
		for (const subscription of opened) await subscription.close();
		await bus.publish(events(5, 5));
		const third = collect();
		await subscribe(third.onBatch, ephemeral);
		const last = events(1);
		await bus.publish(last);
		await third.all(last);
		expect(third.ids()).toHaveLength(1);
	});
});

it("a bus on PostgreSQL survives a killed and restarted server with the same client, losing nothing", async () => {
	const server = await startPostgresServer();
	onTestFinished(server.stop);
	const bus = await openBus(server.address);
	onTestFinished(bus.close);
	const received = collect();
	const topic = "killed";
	await bus.subscribe({
		...{ group: topic, topics: [topic] },
		onBatch: received.onBatch,
	});
	const [before, during, after] = [1, 2, 3].map(() =>
		Array.from({ length: 50 }, (_, at) =>
			testEvent({ topic, key: `key ${at % 5}` }),
		),
	) as [BusEvent[], BusEvent[], BusEvent[]];
	await eventually(() => bus.publish(before));
	await server.kill();
	expect(await bus.health()).toBe("unreachable");
	const taken = eventually(() => bus.publish(during));
	await server.restart();
	await taken;
	await eventually(() => bus.publish(after));
	await received.all([...before, ...during, ...after]);
	await eventually(async () => expect(await bus.health()).toBe("ok"));
});
