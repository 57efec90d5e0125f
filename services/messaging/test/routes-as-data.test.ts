import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import type { Smsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import { GENEROUS, startRouteWorld } from "./support/route-world.ts";

/** About 100 messages a second. */
const BATCH = 10;
const BATCH_EVERY_MS = 100;
/** So many messages are accepted between two changes. */
const BETWEEN = 2 * BATCH;
const ROUNDS = 4;

test("43 changes of two routes under load: nothing is refused, lost or doubled, and the third route keeps its connections", async () => {
	const world = await startRouteWorld(["one", "two", "three"], 2);
	const { admin } = world.accepting;
	const { one, two, three } = world.smscs;
	const add = (code: string, more: Record<string, string> = {}) =>
		admin.addRoute({
			code,
			kind: "smpp",
			settings: { ...world.settingsTo(code), ...more },
		});
	const set = (code: string, settings: Record<string, string>) =>
		admin.setRoute({ code, settings });
	const to = (code: string, state: string) =>
		admin.setRouteState({ code, state });

	await add("two");
	await add("three", { binds: "2" });
	await eventually(async () => {
		const held = await world.database.sql`
			select distinct token
			from bind_slots
			where route = 'three'
			and token is not null
		`;
		expect(held).toHaveLength(2);
		expect(three?.stats.sessions).toBe(2);
	}, GENEROUS);
	const bindsBefore = three?.stats.binds;

	let accepted = 0;
	const over = new AbortController();
	const load = (async () => {
		while (!over.signal.aborted) {
			await world.accept(BATCH);
			accepted += BATCH;
			await delay(BATCH_EVERY_MS);
		}
	})();
	onTestFinished(async () => {
		over.abort();
		await load.catch(() => undefined);
	});
	let changes = 0;
	const change = async (act: () => Promise<unknown>) => {
		await act();
		changes++;
		const before = accepted;
		await Promise.race([
			load,
			eventually(
				() => expect(accepted).toBeGreaterThanOrEqual(before + BETWEEN),
				GENEROUS,
			),
		]);
	};
	/** While no route before it takes new messages. */
	const takes = async (smsc: Smsc | undefined) => {
		const before = smsc?.log.total;
		await eventually(
			() => expect(smsc?.log.total).toBeGreaterThan(Number(before)),
			GENEROUS,
		);
	};
	for (let round = 1; round <= ROUNDS; round++) {
		await change(() => set("one", { window: String(10 + round) }));
		await change(() => to("one", "paused"));
		await takes(two);
		await change(() => set("two", { rate: String(200 + round) }));
		await change(() => set("one", { systemtype: `t${round}` }));
		await change(() => to("one", "active"));
		await change(() => set("two", { binds: String((round % 2) + 1) }));
		await change(() => to("one", "draining"));
		await change(() => to("two", "paused"));
		await takes(three);
		await change(() => to("two", "active"));
		await change(() => to("one", "active"));
	}
	await change(() => to("two", "draining"));
	await change(() =>
		eventually(
			async () => {
				const open = await world.database.sql`
					select
					from messages
					where route = 'two'
					and status <> 'delivered'
				`;
				expect(open).toHaveLength(0);
				await to("two", "removed");
			},
			{ timeoutMs: 60_000 },
		),
	);
	await eventually(() => expect(two?.stats.sessions).toBe(0), GENEROUS);
	await change(() => add("two"));
	over.abort();
	await load;

	expect(changes).toBe(43);
	await world.delivered();
	const taken = [one, two, three].map(
		(smsc) => smsc?.log.taken().map(({ text }) => text) ?? [],
	);
	expect(taken.map((texts) => texts.length)).not.toContain(0);
	expect(taken.flat()).toHaveLength(accepted);
	expect(new Set(taken.flat()).size).toBe(accepted);
	expect(three?.stats).toMatchObject({ sessions: 2, binds: bindsBefore });
	await eventually(() => expect(two?.stats.sessions).toBe(1), GENEROUS);
}, 240_000);
