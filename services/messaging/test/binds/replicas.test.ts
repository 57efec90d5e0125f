import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { BINDS, startBindWorld, WINDOW } from "./bind-world.ts";

/** Within which a dead holder's binds are others'. */
const TAKEN_WITHIN_MS = 15_000;
const FROZEN_MS = 20_000;

test.each([
	[1, [4]],
	[2, [2, 2]],
	[4, [1, 1, 1, 1]],
])(
	"%i processes that deliver have equal shares of the binds, and never exceed binds, windows and rate",
	async (count, shares) => {
		const rate = 100;
		const world = await startBindWorld(rate, { answerDelayMs: 30 });
		await world.accept(250);
		const { length } = await Promise.all(
			Array.from({ length: count }, () => world.deliver()),
		);
		expect(length).toBe(count);
		await world.shared(...shares);
		await world.accept(250);
		expect(await world.ended()).toEqual({ extra: 0, marked: 0, expired: 0 });
		expect(world.smsc.stats.peakSessions).toBe(BINDS);
		expect(world.smsc.stats.peakUnanswered).toBeLessThanOrEqual(WINDOW);
		expect(world.submitsPerSecond(rate)).toBeLessThanOrEqual(rate);
	},
);

test("one process killed, one frozen for 20 s, one new: the binds move, and nothing is exceeded, lost or sent twice unmarked", async () => {
	const rate = 40;
	const { smsc, ...world } = await startBindWorld(rate, {
		answerDelayMs: 300,
		redeliverMs: 200,
		maxBinds: BINDS,
	});
	await world.accept(1_500);
	const killed = await world.deliver();
	const frozen = await world.deliver();
	await world.deliver();
	await world.shared(2, 1, 1);

	frozen.signal("SIGSTOP");
	killed.signal("SIGKILL");
	const since = performance.now();
	const thaw = delay(FROZEN_MS).then(() => frozen.signal("SIGCONT"));
	await eventually(() => expect(smsc.stats.sessions).toBe(2));
	await eventually(() => expect(smsc.stats.sessions).toBe(BINDS), {
		timeoutMs: TAKEN_WITHIN_MS,
		everyMs: 20,
	});
	expect(performance.now() - since).toBeLessThan(TAKEN_WITHIN_MS);
	await world.deliver();
	await thaw;
	const atThaw = smsc.log.total;
	await world.shared(2, 1, 1);
	expect(smsc.log.total).toBeGreaterThan(atThaw);

	const { extra, marked, expired } = await world.ended();
	expect(expired).toBeLessThanOrEqual(WINDOW);
	expect(extra).toBeLessThanOrEqual(marked);
	expect(marked).toBeLessThanOrEqual(3 * WINDOW);
	// The frozen one's session is there until it goes on: the operator refused who took its bind over.
	expect(smsc.stats.surplusBinds).toBeGreaterThan(0);
	expect(smsc.stats.peakSessions).toBe(BINDS);
	expect(smsc.stats.peakUnanswered).toBeLessThanOrEqual(WINDOW);
	expect(world.submitsPerSecond(rate)).toBeLessThanOrEqual(rate);
});
