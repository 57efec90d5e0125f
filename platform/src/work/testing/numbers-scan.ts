import type { Db } from "../../database/database.ts";
import type { ResumableScan, ScanPage } from "../resumable-scan.ts";

interface NumbersPage extends ScanPage {
	readonly numbers: readonly number[];
}

const PAGE = 10;

/** Notes every row of `numbers` in `worked`, which takes one twice. */
export function numbersScan(sql: Db): ResumableScan<NumbersPage, void> {
	return {
		name: "numbers",
		findPage: async (after) => {
			const rows = await sql<{ number: number }[]>`
				select number
				from numbers
				where number > ${Number(after)}
				order by number
				limit ${PAGE}
			`;
			const numbers = rows.map(({ number }) => number);
			const last = numbers.at(-1);
			return last === undefined ? undefined : { numbers, end: String(last) };
		},
		work: async (sql, { numbers }) => {
			await sql`
				insert into worked
				select unnest(${[...numbers]}::integer[])
			`;
		},
	};
}
