import { describe, expect, it } from "vitest";
import { shareSlots } from "./fair-share.ts";

const candidate = (
	endpointId: string,
	organizationId: string,
	freeSlots: number,
) => ({
	endpointId,
	organizationId,
	freeSlots,
});
const slotsOf = (candidates: Parameters<typeof shareSlots>[0], total: number) =>
	Object.fromEntries(
		shareSlots(candidates, total).map((share) => [
			share.endpointId,
			share.slots,
		]),
	);

describe("slots", () => {
	it("are all used when there is work for them", () => {
		expect(
			slotsOf([candidate("a", "x", 64), candidate("b", "y", 3)], 50),
		).toEqual({ a: 47, b: 3 });
	});

	it("never exceed an endpoint's free slots or the total", () => {
		expect(slotsOf([candidate("a", "x", 5)], 100)).toEqual({ a: 5 });
		expect(slotsOf([candidate("a", "x", 100)], 7)).toEqual({ a: 7 });
		expect(slotsOf([candidate("a", "x", 0)], 7)).toEqual({});
		expect(slotsOf([candidate("a", "x", 9)], 0)).toEqual({});
		expect(slotsOf([candidate("a", "x", 9)], -4)).toEqual({});
	});

	it("are the same for organizations, however many endpoints each has", () => {
		const many = Array.from({ length: 10 }, (_, i) =>
			candidate(`m${i}`, "many", 64),
		);
		const slots = slotsOf([...many, candidate("s", "single", 64)], 64);
		expect(slots.s).toBe(32);
	});

	it("are the same for an organization's endpoints", () => {
		expect(
			slotsOf([candidate("a", "x", 64), candidate("b", "x", 64)], 32),
		).toEqual({ a: 16, b: 16 });
	});

	it("go to as many endpoints as they can where more want them than there are", () => {
		const many = Array.from({ length: 100 }, (_, i) =>
			candidate(`e${i}`, `o${i}`, 8),
		);
		expect(Object.values(slotsOf(many, 50))).toEqual(Array(50).fill(1));
	});
});
