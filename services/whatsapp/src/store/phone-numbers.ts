import type { Queryable, Tx } from "@airtower/platform/database/database";

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

/** What accepting a message needs to know of its number. */
export interface OwnNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly providerAccountId: string;
}

const columns = (sql: Queryable) => sql`
	id, phone, status, stopped_reason as "stoppedReason", created_at as "createdAt"
`;

/** Inserts a number with its pacing; undefined when the number or the provider's id is taken. */
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

/** The number of an organization with exactly these names, locked. */
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
		for update
	`;
	return row?.id;
}

/** Gives a number a new token, and puts it to work again when it was stopped. */
export async function renewNumber(
	sql: Tx,
	number: Pick<
		NewPhoneNumber,
		"organizationId" | "id" | "providerAccountId" | "accessToken"
	>,
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

/** An organization's numbers, oldest first. */
export async function listPhoneNumbers(
	sql: Queryable,
	organizationId: string,
): Promise<PhoneNumberRow[]> {
	return sql<PhoneNumberRow[]>`
		select ${columns(sql)}
		from phone_numbers
		where organization_id = ${organizationId}
		order by created_at, id
	`;
}

/** Those of the wanted numbers that the named organization has. */
export async function findOwnNumbers(
	sql: Queryable,
	wanted: readonly { organizationId: string; id: string }[],
): Promise<OwnNumber[]> {
	if (wanted.length === 0) return [];
	return sql<OwnNumber[]>`
		select
			id,
			phone_numbers.organization_id as "organizationId",
			provider_account_id as "providerAccountId"
		from phone_numbers
		join unnest(
			${wanted.map((one) => one.organizationId)}::uuid[],
			${wanted.map((one) => one.id)}::uuid[]
		) as wanted (organization_id, number_id)
		on phone_numbers.id = wanted.number_id
		and phone_numbers.organization_id = wanted.organization_id
	`;
}

/** Numbers by the provider's ids, of all organizations: callbacks name nothing else. */
export async function findNumbersOfProvider(
	sql: Queryable,
	providerPhoneNumberIds: readonly string[],
): Promise<
	{ id: string; organizationId: string; providerPhoneNumberId: string }[]
> {
	return sql`
		select
			id,
			organization_id as "organizationId",
			provider_phone_number_id as "providerPhoneNumberId"
		from phone_numbers
		where provider_phone_number_id = any(${[...providerPhoneNumberIds]}::text[])
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

/** Holds back all that waits on a number that sends too fast. */
export async function pauseNumber(
	sql: Tx,
	id: string,
	pauseMs: number,
): Promise<void> {
	await sql`
		update pacing
		set paused_until = greatest(
			paused_until,
			now() + ${pauseMs} * interval '1 millisecond'
		)
		where phone_number_id = ${id}
	`;
}
