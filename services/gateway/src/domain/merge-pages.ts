interface Position {
	readonly createdAt?:
		| { readonly seconds: bigint; readonly nanos: number }
		| undefined;
	readonly id: string;
}

interface PageOf<Row> {
	readonly rows: readonly Row[];
	/** Where its own next page begins; undefined on the last one. */
	readonly next: object | undefined;
}

/**
 * One page of lists that run newest first by (created_at, id) and were all read after the same position. Each list
 * gives `limit` rows or its last ones, so none withholds a row that belongs on this page.
 */
export function mergePages<Row extends Position>(
	pages: readonly PageOf<Row>[],
	limit: number,
): { readonly rows: Row[]; readonly next: Row | undefined } {
	const all = pages.flatMap(({ rows }) => rows).sort(newestFirst);
	const rows = all.slice(0, limit);
	const isLast =
		all.length <= limit && pages.every(({ next }) => next === undefined);
	return { rows, next: isLast ? undefined : rows.at(-1) };
}

function newestFirst(one: Position, other: Position): number {
	const bySeconds = secondsOf(other) - secondsOf(one);
	if (bySeconds !== 0n) return bySeconds > 0n ? 1 : -1;
	const byNanos = nanosOf(other) - nanosOf(one);
	return byNanos || (one.id < other.id ? 1 : -1);
}

function secondsOf({ createdAt }: Position): bigint {
	return createdAt?.seconds ?? 0n;
}

function nanosOf({ createdAt }: Position): number {
	return createdAt?.nanos ?? 0;
}
