import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";

export interface PhoneNumberRow {
	readonly id: string;
	readonly phone: string;
	readonly status: "active" | "stopped";
	readonly stoppedReason: string | null;
	readonly createdAt: Date;
}

interface NewPhoneNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly phone: string;
	readonly providerPhoneNumberId: string;
	readonly providerAccountId: string;
	/** Sealed. */
	readonly accessToken: Buffer;
}

export interface OwnNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly providerAccountId: string;
}

const columns = (sql: Queryable) => sql`
	id, phone, status, stopped_reason as "stoppedReason", created_at as "createdAt"
`;

interface StoppedNumberRow extends PhoneNumberRow {
	readonly organizationId: string;
	readonly providerPhoneNumberId: string;
	readonly providerAccountId: string;
}

/** The oldest first. @param organizationId "*" for all */
export async function listStoppedNumbers(
	sql: Queryable,
	organizationId: string,
	limit: number,
): Promise<StoppedNumberRow[]> {
	return sql<StoppedNumberRow[]>`
		select
			${columns(sql)},
			organization_id as "organizationId",
			provider_phone_number_id as "providerPhoneNumberId",
			provider_account_id as "providerAccountId"
		from phone_numbers
		where status = 'stopped'
		and ${organizationId} in ('*', organization_id::text)
		order by id
		limit ${limit}
	`;
}

export async function insertPhoneNumber(
	sql: Tx,
	number: NewPhoneNumber,
): Promise<PhoneNumberRow | undefined> {
	const [row] = await sql<PhoneNumberRow[]>`
		insert into phone_numbers (
			id, organization_id, phone, provider_phone_number_id,
			provider_account_id, access_token
		)
		values (
			${number.id}, ${number.organizationId}, ${number.phone},
			${number.providerPhoneNumberId}, ${number.providerAccountId},
			${number.accessToken}
		)
		on conflict do nothing
		returning ${columns(sql)}
	`;
	if (row === undefined) return undefined;
	await sql`
		insert into pacing (phone_number_id)
		values (${row.id})
	`;
	return row;
}

export async function findNumber(
	sql: Tx,
	organizationId: string,
	phone: string,
	providerPhoneNumberId: string,
): Promise<string | undefined> {
	const [row] = await sql<{ id: string }[]>`
		select id
		from phone_numbers
		where organization_id = ${organizationId}
		and phone = ${phone}
		and provider_phone_number_id = ${providerPhoneNumberId}
		and status <> 'removed'
		for update
	`;
	return row?.id;
}

/** Gives a number a new token, and puts it to work again when it was stopped. */
export async function renewNumber(
	sql: Tx,
	number: Omit<NewPhoneNumber, "phone" | "providerPhoneNumberId">,
): Promise<PhoneNumberRow | undefined> {
	const [row] = await sql<PhoneNumberRow[]>`
		update phone_numbers
		set
			status = 'active',
			stopped_reason = null,
			provider_account_id = ${number.providerAccountId},
			access_token = ${number.accessToken}
		where organization_id = ${number.organizationId}
		and id = ${number.id}
		returning ${columns(sql)}
	`;
	return row;
}

export async function listPhoneNumbers(
	sql: Queryable,
	organizationId: string,
): Promise<PhoneNumberRow[]> {
	return sql<PhoneNumberRow[]>`
		select ${columns(sql)}
		from phone_numbers
		where organization_id = ${organizationId}
		and status <> 'removed'
		order by created_at, id
	`;
}

export async function findOwnNumbers(
	sql: Queryable,
	wanted: readonly Pick<OwnNumber, "organizationId" | "id">[],
): Promise<OwnNumber[]> {
	if (wanted.length === 0) return [];
	return sql<OwnNumber[]>`
		select
			id,
			organization_id as "organizationId",
			provider_account_id as "providerAccountId"
		from phone_numbers
		where (organization_id, id) in (
			select *
			from ${unnest(sql, wanted, { organizationId: "uuid", id: "uuid" })}
		)
		and status <> 'removed'
	`;
}

/** Stops an active number while its token is still this one; returns whether it did. */
export async function stopNumber(
	sql: Tx,
	id: string,
	sealedToken: Buffer,
	reason: string,
): Promise<boolean> {
	const stopped = await sql`
		update phone_numbers
		set
			status = 'stopped',
			stopped_reason = ${reason}
		where id = ${id}
		and access_token = ${sealedToken}
		and status = 'active'
	`;
	return stopped.count === 1;
}

/** Its row stays for its messages and conversations, without the token; returns whether there was one. */
export async function removeNumber(
	sql: Tx,
	organizationId: string,
	id: string,
): Promise<boolean> {
	const removed = await sql`
		update phone_numbers
		set
			status = 'removed',
			stopped_reason = null,
			access_token = ''
		where organization_id = ${organizationId}
		and id = ${id}
		and status <> 'removed'
	`;
	return removed.count === 1;
}
