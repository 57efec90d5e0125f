import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import type { Smsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished, test } from "vitest";
import { ruleFor, rulesClient } from "./rules/rule-world.ts";
import { GENEROUS, startRouteWorld } from "./support/route-world.ts";

/** 200 messages a second; a busy machine takes fewer. */
const BATCH = 20;
const BATCH_EVERY_MS = 100;
/** So many messages are accepted between two changes. */
const BETWEEN = 2 * BATCH;
const ROUNDS = 2;
const DELIVERED_WITHIN_MS = 300_000;
/** Changes of a route's settings that leave texts as they are; some need new connections. */
const FIELDS: readonly Record<string, string>[] = [
	{ window: "12" },
	{ rate: "400" },
	{ senderrate: "400" },
	{ systemtype: "t1" },
	{ servicetype: "CMT" },
	{ protocol: "1" },
	{ priority: "1" },
	{ enquire: "20" },
	{ timeout: "50" },
	{ statuses: "0x45:permanent" },
	{ reasons: "0x0B:unknown_subscriber" },
	{ receiptstates: "HELD:intermediate" },
	{ cost: "0.01", currency: "EUR" },
	{ long: "sar" },
	{ reference: "16" },
	{ transliterate: "yes" },
	{ unknown: "hold" },
	{ mode: "pair" },
];

test("43 changes of rules and of two routes under load: nothing is refused, lost or doubled, and the third route keeps its connections", async ({
	annotate,
}) => {
	const world = await startRouteWorld(["one", "two", "three"], 2);
	const { admin, rpcUrl } = world.accepting;
	const rules = rulesClient(Number(new URL(rpcUrl).port));
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
	const startedAt = performance.now();
	const load = (async () => {
		for (let nextAt = startedAt; !over.signal.aborted; ) {
			await world.accept(BATCH);
			accepted += BATCH;
			const now = performance.now();
			nextAt = Math.max(nextAt + BATCH_EVERY_MS, now);
			await delay(nextAt - now);
		}
	})();
	onTestFinished(async () => {
		over.abort();
		await load.catch(() => undefined);
	});
	let changes = 0;
	const change = async <T>(act: () => Promise<T>): Promise<T> => {
		const result = await act();
		changes++;
		const before = accepted;
		await Promise.race([
			load,
			eventually(
				() => expect(accepted).toBeGreaterThanOrEqual(before + BETWEEN),
				GENEROUS,
			),
		]);
		return result;
	};
	/** While no route before it takes new messages. */
	const takes = async (smsc: Smsc | undefined) => {
		const before = smsc?.log.total;
		await eventually(
			() => expect(smsc?.log.total).toBeGreaterThan(Number(before)),
			GENEROUS,
		);
	};
	const rule = async (prefix: string, route: string) =>
		(await rules.addRouteRule(ruleFor(route, { prefix }))).rule?.id ?? 0n;
	for (const field of FIELDS) await change(() => set("one", field));
	for (let round = 1; round <= ROUNDS; round++) {
		await change(() => to("one", "paused"));
		await takes(two);
		await change(() => to("one", "active"));
		await change(() => set("two", { binds: String((round % 2) + 1) }));
		await change(() => to("one", "draining"));
		await change(() => to("two", "paused"));
		await takes(three);
		await change(() => to("two", "active"));
		await change(() => to("one", "active"));
		const all = await change(() => rule("+33", "two"));
		await takes(two);
		const some = await change(() => rule("+33612", "three"));
		await takes(three);
		await change(() => rules.removeRouteRule({ id: some }));
		await change(() => rules.removeRouteRule({ id: all }));
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
			{ timeoutMs: DELIVERED_WITHIN_MS },
		),
	);
	await eventually(() => expect(two?.stats.sessions).toBe(0), GENEROUS);
	await change(() => add("two"));
	over.abort();
	await load;
	const perSecond = (accepted * 1_000) / (performance.now() - startedAt);
	await annotate(`${accepted} messages, ${perSecond.toFixed(0)} a second`);

	expect(changes).toBe(43);
	await world.delivered(DELIVERED_WITHIN_MS);
	const taken = [one, two, three].map(
		(smsc) => smsc?.log.taken().map(({ text }) => text) ?? [],
	);
	expect(taken.map((texts) => texts.length)).not.toContain(0);
	expect(taken.flat()).toHaveLength(accepted);
	expect(new Set(taken.flat()).size).toBe(accepted);
	expect(three?.stats).toMatchObject({ sessions: 2, binds: bindsBefore });
	await eventually(() => expect(two?.stats.sessions).toBe(1), GENEROUS);
}, 600_000);
