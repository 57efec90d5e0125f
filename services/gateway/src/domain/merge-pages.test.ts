import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePages } from "./merge-pages.ts";

interface Row {
	readonly createdAt: { readonly seconds: bigint; readonly nanos: number };
	readonly id: string;
}

const keyOf = ({ createdAt: { seconds, nanos }, id }: Row) =>
	`${String(seconds).padStart(4, "0")} ${String(nanos).padStart(9, "0")} ${id}`;
const newestFirst = (one: Row, other: Row) =>
	keyOf(one) < keyOf(other) ? 1 : -1;

/** What one service returns: rows after a position, as its index has them. */
function pageOf(list: readonly Row[], limit: number, after: Row | undefined) {
	const left = list
		.toSorted(newestFirst)
		.filter((row) => after === undefined || keyOf(row) < keyOf(after));
	const rows = left.slice(0, limit);
	return { rows, next: left.length > limit ? rows.at(-1) : undefined };
}

/** Few times, so that many rows share one. */
const rows = fc.uniqueArray(
	fc.record({
		list: fc.nat({ max: 3 }),
		createdAt: fc.record({
			seconds: fc.bigInt({ min: 0n, max: 2n }),
			nanos: fc.constantFrom(0, 5_000_000, 10_000_000),
		}),
		id: fc.uuid(),
	}),
	{ selector: ({ id }) => id, maxLength: 30 },
);

test("several lists read as one have every row once, newest first, and no empty last page", () => {
	fc.assert(
		fc.property(rows, fc.integer({ min: 1, max: 7 }), (all, limit) => {
			const lists = [0, 1, 2, 3].map((nth) =>
				all.filter(({ list }) => list === nth),
			);
			const read: Row[] = [];
			let after: Row | undefined;
			do {
				const pages = lists.map((list) => pageOf(list, limit, after));
				const page = mergePages(pages, limit);
				if (after !== undefined) expect(page.rows).not.toEqual([]);
				read.push(...page.rows);
				after = page.next;
			} while (after !== undefined);
			expect(read).toEqual(all.toSorted(newestFirst));
		}),
	);
});
