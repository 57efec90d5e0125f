import { type Db, type Tx, transaction } from "../database/database.ts";
import type { BusEvent } from "./event-bus.ts";

export type AfterCommit = (effect: () => void) => void;

/** Makes the effect of events; all its writes go through `sql`. */
export type Apply = (
	sql: Tx,
	events: BusEvent[],
	afterCommit: AfterCommit,
) => Promise<void>;

/** Runs `work` in a transaction, and after the commit what it left for then. */
export async function committing<T>(
	sql: Db,
	work: (sql: Tx, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
	let effects: (() => void)[] = [];
	const result = await transaction(sql, (sql) => {
		effects = [];
		return work(sql, (effect) => effects.push(effect));
	});
	for (const effect of effects) effect();
	return result;
}
