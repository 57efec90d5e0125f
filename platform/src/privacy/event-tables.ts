import type postgres from "postgres";
import type { Tx } from "../database/database.ts";
import {
	type ErasableTable,
	foundTable,
	type Subject,
} from "./erasable-table.ts";

/** Of the platform's table `dead_letters`: parked events of the subject are deleted. */
export const erasableDeadLetters: ErasableTable = foundTable(
	"dead_letters",
	async (sql, subject, limit) => {
		const deleted = await sql`
			delete from dead_letters
			where id in (
				select id
				from dead_letters
				where ${isInPayload(sql, subject)}
				limit ${limit}
			)
		`;
		return deleted.count;
	},
);

/** Of the platform's table `outbox`: events keep the number until they are published, which takes no time. */
export const erasableOutbox: ErasableTable = {
	name: "outbox",
	erase: async (sql, subject) => {
		const waiting = await sql`
			select
			from outbox
			where ${isInPayload(sql, subject)}
		`;
		return { erased: 0, pending: waiting.count, next: undefined };
	},
};

/** Of `idempotency_keys`, where responses contain numbers or names: such requests can no more be repeated. */
export const erasableResponses = erasableRequests(({ phone }, sql) =>
	phone === undefined
		? sql`true`
		: sql`
				${isInKey(sql, phone)}
				or position(convert_to(${phone}, 'UTF8') in response) > 0
			`,
);

/** Of `idempotency_keys`, where only the keys may contain a number. */
export const erasableKeys = erasableRequests(({ phone }, sql) =>
	phone === undefined ? sql`key ~ '[1-9][0-9]{6,14}'` : isInKey(sql, phone),
);

/** No key may have a plus. */
function isInKey(sql: Tx, phone: string) {
	return sql`position(${phone.slice(1)} in key) > 0`;
}

function erasableRequests(
	isNamed: (subject: Subject, sql: Tx) => postgres.Fragment,
): ErasableTable {
	return foundTable("idempotency_keys", async (sql, subject, limit) => {
		const { organizationId } = subject;
		const deleted = await sql`
			delete from idempotency_keys
			where (organization_id, key) in (
				select organization_id, key
				from idempotency_keys
				where (${isNamed(subject, sql)})
				and ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
				limit ${limit}
			)
		`;
		return deleted.count;
	});
}

function isInPayload(sql: Tx, { phone, organizationId }: Subject) {
	const isPhone =
		phone === undefined
			? sql`true`
			: sql`position(convert_to(${phone}, 'UTF8') in payload) > 0`;
	return organizationId === undefined
		? isPhone
		: sql`${isPhone} and organization_id = ${organizationId}`;
}
