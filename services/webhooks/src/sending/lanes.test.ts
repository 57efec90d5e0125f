import { describe, expect, it } from "vitest";
import { createLanes, type Lanes } from "./lanes.ts";

const NOW = 1_000;
const target = (endpointId: string, organizationId = endpointId) => ({
	endpointId,
	organizationId,
});

/** Plans and claims everything that was planned. */
function fly(lanes: Lanes, maxSlots = 1_000): Partial<Record<string, number>> {
	const plan = lanes.plan(maxSlots, NOW);
	const counts = new Map(plan.map((share) => [share.endpointId, share.slots]));
	lanes.taken(plan, counts);
	return Object.fromEntries(counts);
}

function land(lanes: Lanes, endpointId: string, count: number, ok: boolean) {
	for (let i = 0; i < count; i++) lanes.ended(endpointId, ok);
}

describe("lanes", () => {
	const limits = { maxInFlight: 100, maxPerEndpoint: 64 };

	it("deal slots to announced endpoints only, up to their window", () => {
		const lanes = createLanes(limits);
		expect(fly(lanes)).toEqual({});
		lanes.announce([target("a")]);
		expect(fly(lanes)).toEqual({ a: 8 });
		expect(fly(lanes)).toEqual({});
		expect(lanes.inFlight()).toBe(8);
	});

	it("widen for an endpoint that answers, up to its cap", () => {
		const lanes = createLanes(limits);
		lanes.announce([target("a")]);
		for (let i = 0; i < 20; i++) land(lanes, "a", fly(lanes).a ?? 0, true);
		expect(fly(lanes)).toEqual({ a: 64 });
	});

	it("forget an endpoint's work when a claim finds less than planned", () => {
		const lanes = createLanes(limits);
		lanes.announce([target("a")]);
		const plan = lanes.plan(100, NOW);
		lanes.taken(plan, new Map([["a", 3]]));
		expect(lanes.inFlight()).toBe(3);
		expect(fly(lanes)).toEqual({});
	});

	it("remember work that was announced while a claim was under way", () => {
		const lanes = createLanes(limits);
		lanes.announce([target("a")]);
		const plan = lanes.plan(100, NOW);
		lanes.announce([target("a")]);
		lanes.taken(plan, new Map());
		expect(fly(lanes)).toEqual({ a: 8 });
	});

	it("never have more under way than the process may", () => {
		const lanes = createLanes(limits);
		lanes.announce(Array.from({ length: 30 }, (_, i) => target(`e${i}`)));
		fly(lanes);
		expect(lanes.inFlight()).toBe(100);
		expect(fly(lanes)).toEqual({});
	});

	it("serve the endpoints that went without in the next deal", () => {
		const lanes = createLanes({ maxInFlight: 8, maxPerEndpoint: 8 });
		lanes.announce([target("a"), target("b"), target("c")]);
		const order: string[] = [];
		for (let i = 0; i < 6; i++) {
			const [endpointId] = Object.keys(fly(lanes));
			order.push(endpointId ?? "");
			land(lanes, endpointId ?? "", 8, true);
		}
		expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
	});

	it("leave failing endpoints at most half of all slots together", () => {
		const lanes = createLanes({ maxInFlight: 20, maxPerEndpoint: 64 });
		const failing = Array.from({ length: 40 }, (_, i) => target(`f${i}`));
		for (const endpoint of failing) {
			lanes.announce([endpoint]);
			land(
				lanes,
				endpoint.endpointId,
				fly(lanes)[endpoint.endpointId] ?? 0,
				false,
			);
		}
		lanes.announce(failing);
		fly(lanes);
		expect(lanes.inFlight()).toBe(10);
		lanes.announce([target("good")]);
		expect(fly(lanes)).toEqual({ good: 8 });
	});

	it.each([1, 2, 3, 7, 8, 20, 100])(
		"serve an endpoint that failed while others want all of %i slots, and them too",
		(maxInFlight) => {
			const lanes = createLanes({ maxInFlight, maxPerEndpoint: 64 });
			const flood = Array.from({ length: 30 }, (_, i) => target(`e${i}`));
			lanes.announce([target("f")]);
			land(lanes, "f", fly(lanes).f ?? 0, false);
			lanes.announce(flood);
			const served = new Map<string, number>();
			for (let deal = 0; deal < 1_000; deal++)
				for (const [endpointId, slots = 0] of Object.entries(fly(lanes))) {
					served.set(endpointId, (served.get(endpointId) ?? 0) + slots);
					land(lanes, endpointId, slots, endpointId !== "f");
				}
			for (const { endpointId } of [target("f"), ...flood])
				expect(served.get(endpointId)).toBeGreaterThan(10);
		},
	);

	it("leave failing endpoints that hang an eighth of all slots while others want the rest", () => {
		const lanes = createLanes({ maxInFlight: 80, maxPerEndpoint: 64 });
		const hanging = Array.from({ length: 40 }, (_, i) => target(`f${i}`));
		for (const endpoint of hanging) {
			lanes.announce([endpoint]);
			for (const [endpointId, slots = 0] of Object.entries(fly(lanes)))
				land(lanes, endpointId, slots, false);
		}
		const flood = Array.from({ length: 30 }, (_, i) => target(`e${i}`));
		lanes.announce([...hanging, ...flood]);
		let held = 0;
		for (let deal = 0; deal < 200; deal++)
			for (const [endpointId, slots = 0] of Object.entries(fly(lanes, 3))) {
				if (endpointId.startsWith("f")) held += slots;
				else land(lanes, endpointId, slots, true);
			}
		expect(held).toBe(10);
	});

	it("hold an endpoint back until its pause is over", () => {
		const lanes = createLanes(limits);
		lanes.announce([target("a")]);
		fly(lanes, 1);
		lanes.ended("a", false, NOW + 10);
		expect(lanes.plan(100, NOW)).toEqual([]);
		expect(lanes.plan(100, NOW + 10)).toEqual([{ endpointId: "a", slots: 4 }]);
	});
});
