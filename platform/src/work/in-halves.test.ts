import { expect, test } from "vitest";
import { inHalves } from "./in-halves.ts";

/** Refuses what contains a bad item, and says so of one that stands alone. */
async function refuseBad(items: readonly string[], batches: string[]) {
	batches.push(items.join(""));
	if (!items.includes("x")) return items.map(() => "done");
	return items.length > 1 ? undefined : ["refused"];
}

test("bad items are found by halving, the others go on together, each result in its place", async () => {
	const batches: string[] = [];
	const work = (items: readonly string[]) => refuseBad(items, batches);
	expect(await inHalves([..."abcdexg"], work)).toEqual([
		...["done", "done", "done", "done", "done", "refused", "done"],
	]);
	expect(batches).toEqual(["abcdexg", "abcd", "exg", "ex", "e", "x", "g"]);
	expect(await inHalves([..."xx"], work)).toEqual(["refused", "refused"]);
});

test("a failure of the work ends it", async () => {
	const work = async () => {
		throw new Error("The database is away.");
	};
	await expect(inHalves(["a", "b"], work)).rejects.toThrow("away");
});
