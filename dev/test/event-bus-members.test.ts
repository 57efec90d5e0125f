import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { platformMigrations } from "@airtower/platform/database/migration/migration-set";
import { startConsumer } from "@airtower/platform/events/consumer";
import { listDeadLetters } from "@airtower/platform/events/dead-letters";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testDatabase } from "@airtower/platform/testing/database";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { frozenMs, LONGEST_WAIT_MS } from "@airtower/platform/testing/frozen";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, it, onTestFinished } from "vitest";
import { type ContractBus, describeBuses } from "./support/bus-contract.ts";
import { openBus } from "./support/bus-server.ts";
import type { HangingMember } from "./support/hanging-member.ts";
import { collect, idsOf, type Received } from "./support/received.ts";

/** What services use, ms. */
const SESSION_TIMEOUT_MS = 10_000;
const LOAD_MS = frozenMs(3_000);

/** A process that joins the group and never finishes its first batch. */
function spawnMember(
	{ address, group, topic }: ContractBus,
	sessionTimeoutMs?: number,
) {
	const member: HangingMember = {
		address,
		group,
		topic,
		...(sessionTimeoutMs !== undefined && { sessionTimeoutMs }),
	};
	const script = fileURLToPath(
		new URL("./support/hanging-member.ts", import.meta.url),
	);
	const child = spawn(process.execPath, [script, JSON.stringify(member)], {
		stdio: ["ignore", "pipe", "ignore"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	let output = "";
	child.stdout.on("data", (text) => {
		output += text;
	});
	const says = (word: string) =>
		eventually(() => expect(output).toContain(word));
	return { process: child, says, output: () => output };
}

describeBuses((use) => {
	it("gives each event to one of two members, and lets one take over from the other", async () => {
		const other = await openBus(use.address);
		const [mine, theirs] = [collect(), collect()];
		const slowly = (received: Received) => async (batch: BusEvent[]) => {
			await delay(300);
			await received.onBatch(batch);
		};
		await use.subscribe(slowly(mine));
		const options = { group: use.group, topics: [use.topic] };
		await other.subscribe({ ...options, onBatch: slowly(theirs) });
		const early = use.events(100, 20);
		await use.bus.publish(early);
		await eventually(() => {
			const ids = new Set([...mine.ids(), ...theirs.ids()]);
			expect(ids.size).toBe(100);
		});
		await other.close();
		expect(mine.events.length + theirs.events.length).toBe(100);
		const late = use.events(100, 20);
		await use.bus.publish(late);
		await mine.all(late);
	});

	it("delivers a refused batch again, and what follows only after it", async () => {
		const received = collect();
		let refusals = 0;
		await use.subscribe(async (batch) => {
			if (refusals++ < 2) throw new Error("not now");
			await received.onBatch(batch);
		});
		const all = use.events(10);
		await use.bus.publish(all.slice(0, 5));
		await use.bus.publish(all.slice(5));
		await received.all(all);
		expect(refusals).toBeGreaterThan(2);
		expect(received.ids()).toEqual(idsOf(all));
	});

	it("keeps for the group what a member refused until it closed", async () => {
		const refused = Promise.withResolvers<void>();
		const refusing = await use.subscribe(async () => {
			refused.resolve();
			throw new Error("not now");
		});
		const all = use.events(3);
		await use.bus.publish(all);
		await refused.promise;
		await refusing.close();
		const received = collect();
		await use.subscribe(received.onBatch);
		await received.all(all);
	});

	it("closes a subscription only when the batch at hand is over", async () => {
		const begun = Promise.withResolvers<void>();
		const finish = Promise.withResolvers<void>();
		let finished = false;
		const subscription = await use.subscribe(async () => {
			begun.resolve();
			await finish.promise;
			finished = true;
		});
		await use.bus.publish(use.events(1));
		await begun.promise;
		const closed = subscription.close();
		finish.resolve();
		await closed;
		expect(finished).toBe(true);
	});

	it("delivers again what a member held when it was killed", async () => {
		const member = spawnMember(use);
		await member.says("joined");
		const all = use.events(10);
		await use.bus.publish(all);
		await member.says("holding");
		member.process.kill("SIGKILL");
		await once(member.process, "exit");
		const received = collect();
		await use.subscribe(received.onBatch);
		await received.all(all);
		expect(received.ids()).toEqual(idsOf(all));
	});

	it("lets no event wait over 15 s while a member stands still under load", async () => {
		const frozen = spawnMember(use, SESSION_TIMEOUT_MS);
		await frozen.says("joined");
		const bus = await openBus(
			...([use.address, undefined, undefined, SESSION_TIMEOUT_MS] as const),
		);
		onTestFinished(() => bus.close());
		const times = new Map<string, number>();
		await bus.subscribe({
			group: use.group,
			topics: [use.topic],
			onBatch: async (batch) => {
				for (const { id } of batch) times.set(id, performance.now());
			},
		});
		const sent = new Map<string, number>();
		const publish = async () => {
			const events = use.events(20, 20);
			for (const { id } of events) sent.set(id, performance.now());
			await use.bus.publish(events);
		};
		// At first the other member may have all partitions.
		await eventually(async () => {
			await publish();
			expect(frozen.output()).toContain("holding");
		});
		frozen.process.kill("SIGSTOP");
		const frozenAt = performance.now();
		while (performance.now() < frozenAt + LOAD_MS) await publish();
		await eventually(() => expect(times.size).toBe(sent.size));
		const late = [...sent].filter(
			([id, at]) =>
				(times.get(id) ?? 0) - Math.max(at, frozenAt) > LONGEST_WAIT_MS,
		);
		expect(late).toEqual([]);
	});

	it("parks a poison record and lets its partition go on, with effect once", async () => {
		const db = await testDatabase([platformMigrations.inbox]);
		const applied: string[] = [];
		const consumer = await startConsumer({
			sql: db.sql,
			bus: use.bus,
			group: use.group,
			topics: [use.topic],
			log: silentLog,
			metrics: createMetrics("test"),
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
		const all = use.events(21);
		const poison = testEvent({
			topic: use.topic,
			key: "key 0",
			type: "poison",
		});
		await use.bus.publish([...all.slice(0, 10), poison, ...all.slice(10)]);
		await use.bus.publish(all.slice(0, 3));
		await eventually(() => expect(applied).toHaveLength(21));
		expect(applied).toEqual(idsOf(all));
		const letters = await listDeadLetters(db.sql, use.group);
		expect(letters).toMatchObject([
			{ reason: "bad_payload", event: { id: poison.id, key: "key 0" } },
		]);
		await consumer.close();
		await db.drop();
	});

	it("gives an ephemeral group what comes after it, each subscription for itself, and forgets it", async () => {
		await use.bus.publish(use.events(5, 5));
		const [first, second] = [collect(), collect()];
		const ephemeral = { ephemeral: true };
		const opened = await Promise.all([
			use.subscribe(first.onBatch, ephemeral),
			use.subscribe(second.onBatch, ephemeral),
		]);
		const all = use.events(5, 5);
		await use.bus.publish(all);
		await Promise.all([first.all(all), second.all(all)]);
		expect(first.ids()).toHaveLength(5);
		for (const subscription of opened) await subscription.close();
		await use.bus.publish(use.events(5, 5));
		const third = collect();
		await use.subscribe(third.onBatch, ephemeral);
		const last = use.events(1);
		await use.bus.publish(last);
		await third.all(last);
		expect(third.ids()).toHaveLength(1);
	});
});
