import { expect, test } from "vitest";
import { createCountsWatch } from "./counts-watch.ts";

const GROUP = { group: "reports", topics: ["messages"] };

/** Looks at a bus that is so far at each look; undefined: away. */
async function looks(
	...bus: (readonly (readonly [reached: number, end: number])[] | undefined)[]
) {
	let nth = 0;
	const watch = createCountsWatch(
		{
			findPositions: async () => {
				const parts = bus[nth++];
				if (parts === undefined) throw new Error("away");
				return parts.map(([reached, end], part) => ({
					part: String(part),
					reached,
					end,
				}));
			},
		},
		GROUP,
	);
	const told: (boolean | "away")[] = [];
	for (const _ of bus) told.push(await watch().catch(() => "away" as const));
	return told;
}

test("counts are current where nothing waits, and where what was there at the look before is in them", async () => {
	expect(await looks([[7, 7]])).toEqual([true]);
	expect(await looks([], [[0, 0]])).toEqual([true, true]);
	expect(await looks([[2, 7]], [[6, 9]], [[9, 12]], [[12, 13]])).toEqual([
		false,
		false,
		true,
		true,
	]);
});

test("counts are current only once they are so in each part of the bus", async () => {
	expect(
		await looks(
			[
				[1, 5],
				[9, 9],
			],
			[
				[4, 5],
				[99, 99],
			],
			[
				[5, 5],
				[99, 200],
			],
		),
	).toEqual([false, false, true]);
});

test("after the bus was away, what others publish then is waited for", async () => {
	const [before, kept] = [
		[7, 7],
		[8, 900],
	] as const;
	expect(
		await looks(
			[before],
			undefined,
			[before],
			[kept],
			[[400, 901]],
			[[901, 950]],
		),
	).toEqual([true, "away", false, false, false, true]);
});
