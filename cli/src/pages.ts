import type { PageKey } from "@airtower/proto/common/v1/page";
import type { Call, Command } from "./command.ts";
import { UsageError } from "./errors.ts";
import type { Row } from "./output.ts";
import { parseInteger } from "./values.ts";

const DEFAULT_LIMIT = "50";
/** Rows that a service returns at most. */
const PAGE = 200;

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly next?: PageKey | undefined;
}

export interface PageWanted {
	readonly limit: number;
	readonly after?: PageKey;
}

export interface List<Item>
	extends Pick<Command, "line" | "summary" | "options"> {
	readonly read: (call: Call, page: PageWanted) => Promise<Page<Item>>;
	readonly toRow: (item: Item) => Row;
	readonly whenEmpty: string;
}

export function listCommand<Item>(list: List<Item>): Command {
	const { line, summary, read, toRow, whenEmpty } = list;
	const options = {
		...list.options,
		"--limit <number>": `most to list (default: ${DEFAULT_LIMIT})`,
	};
	const run = async (call: Call) => {
		const limit = parseLimit(call);
		const found: Item[] = [];
		let after: PageKey | undefined;
		do {
			const size = Math.min(PAGE, limit - found.length);
			const page = await read(call, { limit: size, ...(after && { after }) });
			found.push(...page.items);
			after = page.next;
		} while (after !== undefined && found.length < limit);
		const note = after && "There are more; --limit shows them.";
		return { content: found.map(toRow), whenEmpty, note };
	};
	return { line, summary, options, run };
}

function parseLimit(call: Call): number {
	const limit = parseInteger("--limit", call.option("limit") ?? DEFAULT_LIMIT);
	if (limit < 1) throw new UsageError("--limit must be 1 or more.");
	return limit;
}
