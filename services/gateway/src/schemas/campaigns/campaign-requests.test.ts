import { expect, test } from "vitest";
import { createCampaignBody } from "./campaign-requests.ts";

function issuesOf(recipients: readonly unknown[]) {
	const body = { name: "Sale", content: "Hello", recipients };
	const [, listForm] = createCampaignBody.options;
	return listForm.safeParse(body).error?.issues ?? [];
}

test("of a list with very many bad recipients the first hundred are told of", () => {
	const bad = [33_612_345_678, "x".repeat(65)];
	const list = Array.from({ length: 90_000 }, (_, nth) => bad[nth % 2]);
	const issues = issuesOf(["+33612345678", ...list]);
	expect(issues).toHaveLength(100);
	expect(issues[0]).toMatchObject({
		code: "invalid_type",
		path: ["recipients", 1],
	});
	expect(issues[99]).toMatchObject({
		code: "custom",
		path: ["recipients", 100],
	});
});

test("a list that is too long is refused for that alone, and one that is as long as may be is taken", () => {
	expect(issuesOf(Array(100_001).fill(1))).toMatchObject([
		{ code: "too_big", path: ["recipients"] },
	]);
	expect(issuesOf(Array(100_000).fill("+33612345678"))).toEqual([]);
	// As before.
	expect(issuesOf(Array(1_000).fill(1))).toHaveLength(100);
});
