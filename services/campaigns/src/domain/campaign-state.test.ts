import { expect, test } from "vitest";
import { pendingOf } from "./campaign-state.ts";

const progress = (
	audience: number,
	skipped: number,
	accepted: number,
	delivered: number,
	failed: number,
) => ({ audience, skipped, accepted, delivered, failed, duplicates: 0 });

test.each([
	[progress(0, 0, 0, 0, 0), 0],
	[progress(3, 0, 3, 2, 1), 0],
	[progress(3, 0, 3, 2, 0), 1],
	[progress(3, 1, 1, 0, 0), 2],
])("%j has %i pending", (counts, pending) => {
	expect(pendingOf(counts)).toBe(pending);
});
