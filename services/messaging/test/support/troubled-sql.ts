import type { Db } from "@airtower/platform/database/database";

/** What becomes of a statement; `run` has the database run it. */
export type Fate = (run: () => Promise<unknown>) => Promise<unknown>;

/** A pool whose statements meet the fate that the test has set for a part of their text, white space apart. */
export interface TroubledSql {
	readonly sql: Db;
	/** Statements outside transactions only; those without a fate run as they are. */
	readonly fates: Map<string, Fate>;
}

/** Part of the statement that claims messages. */
export const CLAIM = "with recursive";

export const neverRun: Fate = async () => {
	throw new Error("The statement was cancelled.");
};

export const responseLost: Fate = async (run) => {
	await run();
	throw new Error("The connection was lost.");
};

export function troubledSql(sql: Db): TroubledSql {
	const fates = new Map<string, Fate>();
	return {
		fates,
		sql: new Proxy(sql, {
			apply(target, self, args) {
				// The driver sends a query when it is awaited.
				const query = Reflect.apply(target, self, args);
				const text = textOf(args);
				for (const [part, fate] of fates)
					if (text.includes(part)) return fate(async () => await query);
				return query;
			},
		}),
	};
}

/** Empty for a fragment that is no tagged template. */
function textOf([strings]: readonly unknown[]): string {
	const isTemplate = Array.isArray(strings) && "raw" in strings;
	return isTemplate ? strings.join("?").replace(/\s+/g, " ") : "";
}
