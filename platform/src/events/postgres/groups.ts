import { type Db, type Tx, transaction } from "../../database/database.ts";
import type { BusEvent } from "../event-bus.ts";
import { adoptRecords, deleteGroupRecords, insertRecords } from "./records.ts";

export interface GroupRegistration {
	readonly group: string;
	readonly topics: readonly string[];
	readonly ephemeral: boolean;
}

/**
 * Stores events for the groups of this moment. Publishers share a lock that {@link registerGroup}
 * takes alone: an event is published either before a group has its place, or for it.
 */
export async function publishRecords(
	sql: Db,
	events: readonly BusEvent[],
): Promise<void> {
	await transaction(sql, async (sql) => {
		await sql`select pg_advisory_xact_lock_shared(${groupsLock(sql)})`;
		await insertRecords(sql, events);
	});
}

/**
 * Gives a group its place, or renews an ephemeral group's heartbeat. A durable group takes over what was
 * published before any had subscribed.
 */
export async function registerGroup(
	sql: Db,
	registration: GroupRegistration,
): Promise<void> {
	const { group, topics, ephemeral } = registration;
	await transaction(sql, async (sql) => {
		await sql`select pg_advisory_xact_lock(${groupsLock(sql)})`;
		await sql`
			insert into subscriptions (group_name, topic, ephemeral)
			select ${group}, topic, ${ephemeral}
			from unnest(${topics}::text[]) as topic
			on conflict (group_name, topic) do update
			set ephemeral = excluded.ephemeral, heartbeat_at = now()
		`;
		if (!ephemeral) await adoptRecords(sql, group, topics);
	});
}

/** Deletes a group with all that waits for it. */
export async function deleteGroup(sql: Db, group: string): Promise<void> {
	await transaction(sql, async (sql) => {
		await sql`select pg_advisory_xact_lock(${groupsLock(sql)})`;
		await sql`
			delete from subscriptions
			where group_name = ${group}
		`;
		await deleteGroupRecords(sql, [group]);
	});
}

/** Deletes the ephemeral groups whose process has been silent for so long; returns how many. */
export async function deleteLapsedGroups(
	sql: Db,
	silentMs: number,
): Promise<number> {
	return transaction(sql, async (sql) => {
		await sql`select pg_advisory_xact_lock(${groupsLock(sql)})`;
		const rows = await sql<{ group: string }[]>`
			delete from subscriptions
			where ephemeral
			and heartbeat_at < now() - ${silentMs} * interval '1 millisecond'
			returning group_name as "group"
		`;
		const groups = [...new Set(rows.map(({ group }) => group))];
		if (groups.length > 0) await deleteGroupRecords(sql, groups);
		return groups.length;
	});
}

function groupsLock(sql: Tx) {
	return sql`hashtext(current_schema()), hashtext('bus.groups')`;
}
