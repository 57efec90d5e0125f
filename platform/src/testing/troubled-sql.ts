import type { Db, Tx } from "../database/database.ts";

/** What becomes of a statement; `run` has the database run it. */
type Fate = (run: () => Promise<unknown>) => Promise<unknown>;

/** A pool whose statements meet the fate that the test has set for a part of their text, white space apart. */
export interface TroubledSql {
	readonly sql: Db;
	/** Statements without one run as they are. */
	readonly fates: Map<string, Fate>;
}

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
			apply: (target, self, args) => {
				const query = Reflect.apply(target, self, args);
				// The driver sends a query when it is awaited.
				return fateOf(fates, args)?.(async () => await query) ?? query;
			},
			get: (target, name) =>
				name === "begin"
					? (mode: string, work: Work) => begin(target, fates, mode, work)
					: Reflect.get(target, name),
		}),
	};
}

type Fates = TroubledSql["fates"];
type Work = (sql: Tx) => Promise<unknown>;

class Met extends Error {
	readonly fate: Fate;

	constructor(fate: Fate) {
		super();
		this.fate = fate;
	}
}

/** The transaction as a whole meets the fate of a statement in it: it is rolled back, and run again under its fate. */
async function begin(sql: Db, fates: Fates, mode: string, work: Work) {
	const run = () => sql.begin(mode, work);
	try {
		return await sql.begin(mode, (sql) => work(watched(sql, fates)));
	} catch (error) {
		if (error instanceof Met) return error.fate(run);
		throw error;
	}
}

function watched(sql: Tx, fates: Fates): Tx {
	return new Proxy(sql, {
		apply: (target, self, args) => {
			const fate = fateOf(fates, args);
			if (fate !== undefined) throw new Met(fate);
			return Reflect.apply(target, self, args);
		},
	});
}

function fateOf(fates: Fates, [strings]: readonly unknown[]): Fate | undefined {
	const text = textOf(strings);
	for (const [part, fate] of fates) if (text.includes(part)) return fate;
	return undefined;
}

/** Empty for a fragment that is no tagged template. */
function textOf(strings: unknown): string {
	const isTemplate = Array.isArray(strings) && "raw" in strings;
	return isTemplate ? strings.join("?").replace(/\s+/g, " ") : "";
}
