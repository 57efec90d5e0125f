/** Why a statement may not be in an unreleased migration, and what to do in its place. */
export interface Refusal {
	readonly reason: string;
	readonly remedy: string;
	/** It takes away what the last release uses: allowed once a release has ended that use, and the file says which. */
	readonly isContract: boolean;
}

/** What is wrong whatever the file says: it would keep others from the table, or it cannot be judged. */
export function refuse(reason: string, remedy: string): Refusal {
	return { reason, remedy, isContract: false };
}

export function refuseContract(reason: string): Refusal {
	return {
		reason,
		remedy:
			"End its use in one release, and write `-- contract: <that release>` above the statement in a later one.",
		isContract: true,
	};
}

/** The schema's tables and columns that no release has: nobody uses them, so they may change freely. */
export class Unreleased {
	readonly #tables = new Set<string>();
	readonly #columns = new Set<string>();

	addTable(table: string): void {
		this.#tables.add(table);
	}

	addColumn(table: string, column: string): void {
		this.#columns.add(`${table}.${column}`);
	}

	hasTable(table: string): boolean {
		return this.#tables.has(table);
	}

	hasColumn(table: string, column: string): boolean {
		return this.#columns.has(`${table}.${column}`);
	}
}
