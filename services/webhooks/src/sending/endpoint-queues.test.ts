import { describe, expect, it } from "vitest";
import {
	EndpointQueues,
	isSuspect,
	MAX_REMEMBERED,
	nextWindow,
	START_WINDOW,
} from "./endpoint-queues.ts";

const NOW = 1_000;
const target = (endpointId: string, organizationId = endpointId) => ({
	endpointId,
	organizationId,
});

/** Reserves slots and fills them all. */
function claim(
	queues: EndpointQueues,
	maxSlots = 1_000,
): Partial<Record<string, number>> {
	const shares = queues.reserve(maxSlots, NOW);
	const filled = new Map(
		shares.map(({ endpointId, slots }) => [endpointId, slots]),
	);
	queues.confirm(shares, filled);
	return Object.fromEntries(filled);
}

function end(
	queues: EndpointQueues,
	endpointId: string,
	count: number,
	ok: boolean,
) {
	for (let i = 0; i < count; i++) queues.end(endpointId, ok);
}

const queuesOf = (limits: { maxInFlight: number; maxPerEndpoint: number }) =>
	new EndpointQueues({ ...limits, wakeSender: () => {} });

describe("the queues of endpoints", () => {
	const limits = { maxInFlight: 100, maxPerEndpoint: 64 };

	it("deal slots to announced endpoints only, up to their window", () => {
		const queues = queuesOf(limits);
		expect(claim(queues)).toEqual({});
		queues.announce([target("a")]);
		expect(claim(queues)).toEqual({ a: 8 });
		expect(claim(queues)).toEqual({});
		expect(queues.inFlight).toBe(8);
	});

	it("widen for an endpoint that responds, up to its cap", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		for (let i = 0; i < 20; i++) end(queues, "a", claim(queues).a ?? 0, true);
		expect(claim(queues)).toEqual({ a: 64 });
	});

	it("forget an endpoint's work when a claim finds less than planned", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		const shares = queues.reserve(100, NOW);
		queues.confirm(shares, new Map([["a", 3]]));
		expect(queues.inFlight).toBe(3);
		expect(claim(queues)).toEqual({});
	});

	it("remember work that was announced while a claim was in flight", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		const shares = queues.reserve(100, NOW);
		queues.announce([target("a")]);
		queues.confirm(shares, new Map());
		expect(claim(queues)).toEqual({ a: 8 });
	});

	it("never have more in flight than the process may", () => {
		const queues = queuesOf(limits);
		queues.announce(Array.from({ length: 30 }, (_, i) => target(`e${i}`)));
		claim(queues);
		expect(queues.inFlight).toBe(100);
		expect(claim(queues)).toEqual({});
	});

	it("serve the endpoints that went without in the next deal", () => {
		const queues = queuesOf({ maxInFlight: 2, maxPerEndpoint: 8 });
		queues.announce([target("a"), target("b"), target("c")]);
		const order: string[] = [];
		for (let i = 0; i < 3; i++)
			for (const [endpointId, slots = 0] of Object.entries(claim(queues))) {
				order.push(endpointId);
				end(queues, endpointId, slots, true);
			}
		expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
	});

	it("leave failing endpoints at most half of all slots together", () => {
		const queues = queuesOf({ maxInFlight: 20, maxPerEndpoint: 64 });
		const failing = Array.from({ length: 40 }, (_, i) => target(`f${i}`));
		for (const endpoint of failing) {
			queues.announce([endpoint]);
			end(
				queues,
				endpoint.endpointId,
				claim(queues)[endpoint.endpointId] ?? 0,
				false,
			);
		}
		queues.announce(failing);
		claim(queues);
		expect(queues.inFlight).toBe(10);
		queues.announce([target("good")]);
		expect(claim(queues)).toEqual({ good: 8 });
	});

	it.each([1, 2, 3, 7, 8, 20, 100])(
		"serve an endpoint that failed while others want all of %i slots, and them too",
		(maxInFlight) => {
			const queues = queuesOf({ maxInFlight, maxPerEndpoint: 64 });
			const flood = Array.from({ length: 30 }, (_, i) => target(`e${i}`));
			queues.announce([target("f")]);
			end(queues, "f", claim(queues).f ?? 0, false);
			queues.announce(flood);
			const served = new Map<string, number>();
			for (let deal = 0; deal < 1_000; deal++)
				for (const [endpointId, slots = 0] of Object.entries(claim(queues))) {
					served.set(endpointId, (served.get(endpointId) ?? 0) + slots);
					end(queues, endpointId, slots, endpointId !== "f");
				}
			for (const { endpointId } of [target("f"), ...flood])
				expect(served.get(endpointId)).toBeGreaterThan(10);
		},
	);

	it("leave failing endpoints that hang an eighth of all slots while others want the rest", () => {
		const queues = queuesOf({ maxInFlight: 80, maxPerEndpoint: 64 });
		const hanging = Array.from({ length: 40 }, (_, i) => target(`f${i}`));
		for (const endpoint of hanging) {
			queues.announce([endpoint]);
			for (const [endpointId, slots = 0] of Object.entries(claim(queues)))
				end(queues, endpointId, slots, false);
		}
		const flood = Array.from({ length: 30 }, (_, i) => target(`e${i}`));
		queues.announce([...hanging, ...flood]);
		let occupied = 0;
		for (let deal = 0; deal < 200; deal++)
			for (const [endpointId, slots = 0] of Object.entries(claim(queues, 3))) {
				if (endpointId.startsWith("f")) occupied += slots;
				else end(queues, endpointId, slots, true);
			}
		expect(occupied).toBe(10);
	});

	it("keep the window of an endpoint whose attempts failed by our own fault", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		const { a = 0 } = claim(queues);
		for (let i = 0; i < a; i++) queues.postpone("a", NOW + 10);
		expect(queues.reserve(100, NOW)).toEqual([]);
		expect(queues.reserve(100, NOW + 10)).toEqual([
			{ endpointId: "a", slots: 8 },
		]);
	});

	it("hold an endpoint back until its pause is over", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		claim(queues, 1);
		queues.end("a", false, NOW + 10);
		expect(queues.reserve(100, NOW)).toEqual([]);
		expect(queues.reserve(100, NOW + 10)).toEqual([
			{ endpointId: "a", slots: 4 },
		]);
	});

	it("hold an endpoint back for work that comes during its pause, also one that mostly responds", () => {
		const queues = queuesOf(limits);
		queues.announce([target("a")]);
		for (let i = 0; i < 8; i++) end(queues, "a", claim(queues).a ?? 0, true);
		const shares = queues.reserve(100, NOW);
		queues.confirm(shares, new Map([["a", 1]]));
		queues.end("a", false, NOW + 10);
		queues.announce([target("a")]);
		expect(queues.reserve(100, NOW)).toEqual([]);
		expect(queues.reserve(100, NOW + 10)).toEqual([
			{ endpointId: "a", slots: 32 },
		]);
	});

	it("let an endpoint wait for few time-outs of others, however many hang at once", () => {
		const queues = queuesOf(limits);
		const hanging = Array.from({ length: 300 }, (_, i) => target(`h${i}`));
		queues.announce([...hanging, target("good")]);
		let timeouts = 0;
		for (let dealt = claim(queues); !dealt.good; dealt = claim(queues)) {
			timeouts++;
			for (const [endpointId, slots = 0] of Object.entries(dealt))
				end(queues, endpointId, slots, false);
		}
		expect(timeouts).toBeLessThanOrEqual(4);
	});

	it("remember of very many endpoints that fail the latest", () => {
		const queues = queuesOf({ maxInFlight: 100_000, maxPerEndpoint: 64 });
		const failOnce = (endpointIds: readonly string[]) => {
			queues.announce(endpointIds.map((id) => target(id)));
			const shares = queues.reserve(100_000, NOW);
			queues.confirm(shares, new Map(endpointIds.map((id) => [id, 1])));
			for (const id of endpointIds) end(queues, id, 1, false);
		};
		failOnce(Array.from({ length: MAX_REMEMBERED }, (_, i) => `old${i}`));
		failOnce(["new"]);
		queues.announce([target("new")]);
		expect(claim(queues)).toEqual({ new: 4 });
	});
});

const MAX = 64;
const windowAfter = (results: boolean[], from = START_WINDOW) =>
	results.reduce((window, ok) => nextWindow(window, ok, MAX), from);

describe("an endpoint's window", () => {
	it("grows by one per success up to the cap", () => {
		expect(windowAfter([true])).toBe(START_WINDOW + 1);
		expect(windowAfter(Array(200).fill(true))).toBe(MAX);
	});

	it("halves per failure and keeps room for two", () => {
		expect(windowAfter([false], 64)).toBe(32);
		expect(windowAfter(Array(20).fill(false))).toBe(2);
	});

	it("makes an endpoint suspect until it is back where a new one starts", () => {
		expect(isSuspect(START_WINDOW, MAX)).toBe(false);
		expect(isSuspect(windowAfter([false]), MAX)).toBe(true);
		expect(isSuspect(windowAfter([false, true, true, true, true]), MAX)).toBe(
			false,
		);
	});

	it("respects a cap below what a new endpoint gets", () => {
		expect(nextWindow(1, false, 1)).toBe(1);
		expect(isSuspect(1, 1)).toBe(false);
	});
});
