import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("a queue gives its items in order at any length", () => {
	const fifo = new Fifo<number>();
	let taken = 0;
	for (let i = 0; i < 10_000; i++) {
		fifo.push(i);
		if (i % 3 !== 0) expect(fifo.shift()).toBe(taken++);
	}
	expect(fifo.length).toBe(10_000 - taken);
	while (fifo.length > 0) expect(fifo.shift()).toBe(taken++);
	expect(fifo.shift()).toBeUndefined();
	expect(taken).toBe(10_000);
});
