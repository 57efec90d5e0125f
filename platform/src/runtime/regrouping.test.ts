import { expect, test } from "vitest";
import { createRegrouping, type Regrouping } from "./regrouping.ts";

/** Which of so many flushes of 40 items waited, when so many came while it did. */
function waits(regrouping: Regrouping, flushes: number, came: number) {
	return Array.from({ length: flushes }, () => {
		const waitMs = regrouping.begin(40, 10);
		regrouping.end(came);
		return waitMs > 0;
	});
}

test("waits in proportion to the flush before, and not for long", () => {
	const regrouping = createRegrouping();
	expect(regrouping.begin(40, 8)).toBe(4);
	regrouping.end(40);
	expect(regrouping.begin(40, 400)).toBe(10);
});

test("goes on waiting while most of the answered come back", () => {
	expect(waits(createRegrouping(), 100, 30)).not.toContain(false);
});

test("waits ever more seldom while they do not", () => {
	const waited = waits(createRegrouping(), 1_000, 20);
	const at = waited.flatMap((one, index) => (one ? index : []));
	expect(at.slice(0, 8)).toEqual([0, 2, 5, 10, 19, 36, 69, 134]);
	expect(at.slice(8, 10)).toEqual([199, 264]);
});

test("waits each time again once they come back", () => {
	const regrouping = createRegrouping();
	waits(regrouping, 300, 0);
	const waited = waits(regrouping, 100, 40);
	expect(waited.slice(70)).not.toContain(false);
});

test("a flush that nothing preceded is no wait", () => {
	const regrouping = createRegrouping();
	regrouping.end(1);
	expect(regrouping.begin(1, 10)).toBe(5);
});
