import type { PageKey } from "@airtower/proto/common/v1/page";
import type { Call, Command } from "./command.ts";
import { UsageError } from "./errors.ts";
import type { Row } from "./output.ts";
import { parseInteger } from "./values.ts";

const DEFAULT_LIMIT = "50";
/** A service returns at most this many rows in one response. */
const MAX_PAGE_SIZE = 200;

export const LIMIT_OPTION = {
	"--limit <number>": `most to list (default: ${DEFAULT_LIMIT})`,
};

interface Page<Item> {
	readonly items: readonly Item[];
	readonly next?: PageKey | undefined;
}

interface PageWanted {
	readonly limit: number;
	readonly after?: PageKey;
}

interface List<Item> extends Pick<Command, "line" | "summary" | "options"> {
	readonly read: (call: Call, page: PageWanted) => Promise<Page<Item>>;
	readonly toRow: (item: Item) => Row;
	readonly whenEmpty: string;
}

export function listCommand<Item>(list: List<Item>): Command {
	const { line, summary, read, toRow, whenEmpty } = list;
	const options = { ...list.options, ...LIMIT_OPTION };
	const run = async (call: Call) => {
		const { items, next } = await readPages(parseLimit(call), (page) =>
			read(call, page),
		);
		const note = next && "There are more; a larger --limit shows them.";
		return { content: items.map(toRow), whenEmpty, note };
	};
	return { line, summary, options, run };
}

/** Reads page after page until `limit` items are read or none are left. */
export async function readPages<Item>(
	limit: number,
	read: (page: PageWanted) => Promise<Page<Item>>,
): Promise<Page<Item>> {
	const items: Item[] = [];
	let next: PageKey | undefined;
	do {
		const size = Math.min(MAX_PAGE_SIZE, limit - items.length);
		const page = await read({ limit: size, ...(next && { after: next }) });
		items.push(...page.items);
		next = page.next;
	} while (next !== undefined && items.length < limit);
	return { items, next };
}

export function parseLimit(call: Call): number {
	const limit = parseInteger("--limit", call.option("limit") ?? DEFAULT_LIMIT);
	if (limit < 1) throw new UsageError("--limit must be 1 or more.");
	return limit;
}
