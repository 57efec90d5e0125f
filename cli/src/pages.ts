import type { PageKey } from "@airtower/proto/common/v1/page";
import type { AdminClients } from "./clients.ts";
import {
	type Call,
	type Command,
	type OptionSpec,
	UsageError,
} from "./command.ts";
import { type Output, type Row, rows } from "./output.ts";
import { findOrganization, numberOf } from "./values.ts";

const DEFAULT_LIMIT = "50";
/** Rows that a service answers at most. */
const PAGE = 200;

/** The option of a command that lists page by page. */
export const LIMIT: OptionSpec = {
	value: "number",
	about: `most to list (default ${DEFAULT_LIMIT})`,
};

/** One page of a list. */
export interface Page<Item> {
	readonly items: readonly Item[];
	/** Absent on the last one. */
	readonly next: PageKey | undefined;
}

/** What a service is asked for. */
export interface PageWanted {
	readonly limit: number;
	readonly after?: PageKey;
}

/** Reads pages up to the `--limit` of the command, and says so when there is more. */
export async function listPages<Item>(
	call: Call,
	read: (page: PageWanted) => Promise<Page<Item>>,
	rowOf: (item: Item) => Row,
	whenEmpty: string,
): Promise<Output> {
	const limit = numberOf("--limit", call.option("limit") ?? DEFAULT_LIMIT);
	if (limit < 1) throw new UsageError("--limit must be 1 or more.");
	const found: Item[] = [];
	let after: PageKey | undefined;
	do {
		const size = Math.min(PAGE, limit - found.length);
		const page = await read({ limit: size, ...(after && { after }) });
		found.push(...page.items);
		after = page.next;
	} while (after !== undefined && found.length < limit);
	const note = after && "There are more; --limit shows them.";
	return rows(found.map(rowOf), whenEmpty, note);
}

/** A list that each organization has. */
export interface OrganizationList<Item>
	extends Pick<Command, "name" | "summary"> {
	readonly read: (
		clients: AdminClients,
		wanted: { readonly organizationId: string; readonly page: PageWanted },
	) => Promise<Page<Item>>;
	readonly rowOf: (item: Item) => Row;
	/** Said to people in place of an empty table. */
	readonly whenEmpty: string;
}

/** The command that lists what an organization has. */
export function listOfOrganization<Item>({
	name,
	summary,
	read,
	rowOf,
	whenEmpty,
}: OrganizationList<Item>): Command {
	return {
		name,
		summary,
		args: ["organization"],
		options: { limit: LIMIT },
		run: async (call) => {
			const { id: organizationId } = await findOrganization(call);
			const { clients } = call;
			return listPages(
				call,
				(page) => read(clients, { organizationId, page }),
				rowOf,
				whenEmpty,
			);
		},
	};
}
