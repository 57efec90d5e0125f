import {
	type BusEvent,
	type EventBus,
	MAX_PAYLOAD_BYTES,
} from "@airtower/platform/events/event-bus";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, it, onTestFinished } from "vitest";
import { describeBuses } from "./support/bus-contract.ts";
import { openBus, startPostgresServer } from "./support/bus-server.ts";
import { collect, idsOf, type Received } from "./support/received.ts";

describeBuses((use) => {
	it("delivers every field of an event as it was published", async () => {
		const received = collect();
		await use.subscribe(received.onBatch);
		const full = testEvent({
			topic: use.topic,
			key: "ключ",
			payload: Buffer.from([0, 1, 255]),
			traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
		});
		const bare = testEvent({ topic: use.topic, payload: new Uint8Array() });
		await use.bus.publish([full, bare]);
		await received.all([full, bare]);
		const byId = new Map(received.events.map((event) => [event.id, event]));
		expect(byId.get(full.id)).toEqual(full);
		expect(byId.get(bare.id)).toEqual({ ...bare, payload: Buffer.from("") });
	});

	it("keeps the order of each key over many publishes", async () => {
		const received = collect();
		await use.subscribe(received.onBatch);
		const all = use.events(400, 20);
		for (let at = 0; at < all.length; at += 50)
			await use.bus.publish(all.slice(at, at + 50));
		await received.all(all);
		for (const [key, published] of Map.groupBy(all, ({ key }) => key))
			expect(received.ids(key)).toEqual(idsOf(published));
	});

	it("takes 500 events in one publish", async () => {
		const received = collect();
		await use.subscribe(received.onBatch);
		const all = use.events(500, 7);
		await use.bus.publish(all);
		await received.all(all);
		expect(received.ids()).toHaveLength(500);
	});

	it("carries records of 900 kB, several in one publish, and refuses one over the limit", async () => {
		const received = collect();
		await use.subscribe(received.onBatch);
		const all = use.events(5).map((event, at) => ({
			...event,
			payload: Buffer.alloc(900_000, at + 1),
		}));
		await eventually(() => use.bus.publish(all));
		await received.all(all);
		for (const event of all) {
			const came = received.events.find(({ id }) => id === event.id);
			expect(Buffer.compare(came?.payload ?? Buffer.of(), event.payload)).toBe(
				0,
			);
		}
		const tooBig = testEvent({
			topic: use.topic,
			payload: Buffer.alloc(MAX_PAYLOAD_BYTES + 1),
		});
		await expect(use.bus.publish([tooBig])).rejects.toThrow(RangeError);
	});

	it("gives every group every event", async () => {
		const first = collect();
		const second = collect();
		await use.subscribe(first.onBatch);
		await use.subscribe(second.onBatch, { group: `${use.group}.other` });
		const all = use.events(50, 5);
		await use.bus.publish(all);
		await Promise.all([first.all(all), second.all(all)]);
	});

	it("gives a group that is new what was published before anybody subscribed", async () => {
		const all = use.events(20, 3);
		await use.bus.publish(all);
		const received = collect();
		await use.subscribe(received.onBatch);
		await received.all(all);
	});

	it("tells how far a group has come, from the first moment on", async () => {
		// A broker may not yet know that it leads a topic of this moment.
		const find = () =>
			eventually(() => use.bus.findPositions(use.group, [use.topic]));
		const behind = async () => {
			const positions = await find();
			return positions.reduce((sum, one) => sum + one.end - one.reached, 0);
		};
		expect(await behind()).toBe(0);
		await use.bus.publish(use.events(5, 3));
		expect(await behind()).toBeGreaterThan(0);
		const received = collect();
		const first = await use.subscribe(received.onBatch);
		await eventually(async () => expect(await behind()).toBe(0));
		expect(received.ids()).toHaveLength(5);
		await first.close();
		await use.bus.publish(use.events(4));
		expect(await behind()).toBeGreaterThan(0);
		const ends = (await find()).map(({ part, end }) => [part, end]);
		await use.subscribe(received.onBatch);
		await eventually(async () => expect(await behind()).toBe(0));
		expect((await find()).map(({ part, end }) => [part, end])).toEqual(ends);
	});

	it("keeps for a durable group what is published while it is away", async () => {
		const before = collect();
		const first = await use.subscribe(before.onBatch);
		const early = use.events(5);
		await use.bus.publish(early);
		await before.all(early);
		await first.close();
		const late = use.events(5);
		await use.bus.publish(late);
		const after = collect();
		await use.subscribe(after.onBatch);
		await after.all(late);
		expect(after.ids()).toEqual(idsOf(late));
	});
});

it("a bus on PostgreSQL brings another process's events at once, also after its server was killed", async () => {
	const server = await startPostgresServer();
	onTestFinished(server.stop);
	const [here, there] = [
		await openBus(server.address),
		await openBus(server.address),
	];
	onTestFinished(here.close);
	onTestFinished(there.close);
	const topic = "at-once";
	const received = await collectFrom(here, topic);
	const sendTurns = async () => {
		const startedAt = performance.now();
		for (let turn = 0; turn < 30; turn++) {
			const event = testEvent({ topic });
			await there.publish([event]);
			await received.all([event]);
		}
		return performance.now() - startedAt;
	};
	// A look that waits for its turn instead of a notification comes a second after the last.
	expect(await sendTurns()).toBeLessThan(15_000);
	await server.kill();
	await server.restart();
	const first = testEvent({ topic });
	await eventually(() => there.publish([first]));
	await received.all([first]);
	await eventually(async () => expect(await sendTurns()).toBeLessThan(15_000));
});

it("a bus on PostgreSQL survives a killed and restarted server with the same client, losing nothing", async () => {
	const server = await startPostgresServer();
	onTestFinished(server.stop);
	const bus = await openBus(server.address);
	onTestFinished(bus.close);
	const topic = "killed";
	const received = await collectFrom(bus, topic);
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

async function collectFrom(bus: EventBus, topic: string): Promise<Received> {
	const received = collect();
	const { onBatch } = received;
	await bus.subscribe({ group: topic, topics: [topic], onBatch });
	return received;
}
