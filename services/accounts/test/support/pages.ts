import type { PageKey } from "@airtower/proto/common/v1/page";

/** Rows of every page of a list, in order; `between` runs after each page. */
export async function readAll<Row>(
	readPage: (
		after: PageKey | undefined,
	) => Promise<{ rows: readonly Row[]; next?: PageKey | undefined }>,
	between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
	const rows: Row[] = [];
	let after: PageKey | undefined;
	do {
		const page = await readPage(after);
		rows.push(...page.rows);
		after = page.next;
		await between();
	} while (after !== undefined);
	return rows;
}

/** A page request; the first page without `after`. */
export function pageOf(limit: number, after: PageKey | undefined) {
	return after === undefined ? { limit } : { limit, after };
}
