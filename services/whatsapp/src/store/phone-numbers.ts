import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";

export interface PhoneNumberRow {
	readonly id: string;
	readonly phone: string;
	readonly status: "active" | "stopped";
	readonly stoppedReason: string | null;
	readonly createdAt: Date;
}

export interface NewPhoneNumber {
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

export interface ProviderNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly providerPhoneNumberId: string;
	/** Its messages hear of what becomes of them, until somebody else registers it. */
	readonly isRemoved: boolean;
}

/** Numbers by the provider's ids, of all organizations: callbacks name nothing else. */
export async function findNumbersOfProvider(
	sql: Queryable,
	named: readonly Pick<ProviderNumber, "providerPhoneNumberId">[],
): Promise<Map<string, ProviderNumber>> {
	const ids = new Set(named.map((one) => one.providerPhoneNumberId));
	const rows = await sql<ProviderNumber[]>`
		select distinct on (provider_phone_number_id)
			id,
			organization_id as "organizationId",
			provider_phone_number_id as "providerPhoneNumberId",
			status = 'removed' as "isRemoved"
		from phone_numbers
		where provider_phone_number_id = any(${[...ids]}::text[])
		order by provider_phone_number_id, status = 'removed', created_at desc
	`;
	return new Map(rows.map((row) => [row.providerPhoneNumberId, row]));
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

/** Holds back all that waits on numbers that send too fast. */
export async function pauseNumbers(
	sql: Tx,
	paused: readonly { phoneNumberId: string; delayMs: number }[],
): Promise<void> {
	if (paused.length === 0) return;
	await sql`
		update pacing
		set paused_until = greatest(
			paused_until,
			now() + longest.delay_ms * interval '1 millisecond'
		)
		from (
			select phone_number_id, max(delay_ms) as delay_ms
			from ${unnest(sql, paused, { phoneNumberId: "uuid", delayMs: "float8" })}
			group by phone_number_id
		) as longest
		where pacing.phone_number_id = longest.phone_number_id
	`;
}
