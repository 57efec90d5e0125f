import { expect, test } from "vitest";
import { randomFrom } from "./random.ts";

const items = Array.from({ length: 100 }, (_, at) => at);

function drawn(seed: number) {
	const random = randomFrom(seed);
	return {
		numbers: items.map(() => random.between(1, 1_000)),
		order: random.shuffled(items),
	};
}

test("a seed repeats what was drawn, and another draws something else", () => {
	expect(drawn(7)).toEqual(drawn(7));
	expect(drawn(8)).not.toEqual(drawn(7));
});

test("numbers stay between their ends and reach both; a shuffle loses nothing", () => {
	const random = randomFrom(1);
	const numbers = items.map(() => random.between(3, 5));
	expect([...new Set(numbers)].sort()).toEqual([3, 4, 5]);
	expect(drawn(1).order.toSorted((a, b) => a - b)).toEqual(items);
});
