import type { Db } from "../database/database.ts";

const CLOCKS = [
	["now", "stable"],
	["transaction_timestamp", "stable"],
	["statement_timestamp", "stable"],
	["clock_timestamp", "volatile"],
] as const;

/** For statements and defaults made from now on by connections whose search path has the schema before `pg_catalog`. */
export async function createMovableClock(sql: Db): Promise<void> {
	await sql.unsafe(`
		create table clock_step (step interval not null);
		insert into clock_step values ('0');
		${CLOCKS.map(toFunction).join("")}
		create view pg_stat_activity as
		select pid, datname, application_name, xact_start + step as xact_start
		from pg_catalog.pg_stat_activity, clock_step;
	`);
}

function toFunction([name, volatility]: readonly [string, string]): string {
	return `
		create function ${name}() returns timestamptz language sql ${volatility}
		return pg_catalog.${name}() + (select step from clock_step);
	`;
}

/** Sets the clock `ms` ahead of the server's, or behind it. */
export async function setClock(sql: Db, ms: number): Promise<void> {
	await sql`
		update clock_step
		set step = ${ms} * interval '1 millisecond'
	`;
}
