import type { Db } from "@airtower/platform/database/database";

/** Reads once a time, and in between returns what was read last. */
export function readEvery<Result>(
	everyMs: number,
	read: (sql: Db) => Promise<Result>,
): (sql: Db) => Promise<Result> {
	let last: { readonly at: number; readonly result: Result } | undefined;
	return async (sql) => {
		const now = performance.now();
		if (last === undefined || now - last.at >= everyMs)
			last = { at: now, result: await read(sql) };
		return last.result;
	};
}
