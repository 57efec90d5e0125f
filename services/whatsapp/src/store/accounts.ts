import type { Queryable, Tx } from "@airtower/platform/database/database";

export interface ReadableAccount {
	readonly organizationId: string;
	readonly providerAccountId: string;
	readonly phoneNumberId: string;
	/** Sealed. */
	readonly accessToken: Buffer;
}

export async function upsertAccount(
	sql: Tx,
	organizationId: string,
	providerAccountId: string,
): Promise<void> {
	await sql`
		insert into accounts (organization_id, provider_account_id)
		values (${organizationId}, ${providerAccountId})
		on conflict (organization_id, provider_account_id) do update
		set due_at = now()
	`;
}

/** Takes accounts that are due, and makes them due again after `pollMs`; each goes to one process. */
export async function claimDueAccounts(
	sql: Queryable,
	pollMs: number,
	limit: number,
): Promise<{ organizationId: string; providerAccountId: string }[]> {
	return sql`
		update accounts
		set due_at = now() + ${pollMs} * interval '1 millisecond'
		where (organization_id, provider_account_id) in (
			select organization_id, provider_account_id
			from accounts
			where due_at <= now()
			order by due_at
			limit ${limit}
			for update skip locked
		)
		returning
			organization_id as "organizationId",
			provider_account_id as "providerAccountId"
	`;
}

export async function findReadableAccounts(
	sql: Queryable,
	organizationId: string,
): Promise<ReadableAccount[]> {
	return sql<ReadableAccount[]>`
		select distinct on (provider_account_id)
			organization_id as "organizationId",
			provider_account_id as "providerAccountId",
			id as "phoneNumberId",
			access_token as "accessToken"
		from phone_numbers
		where organization_id = ${organizationId}
		and status = 'active'
		order by provider_account_id, created_at desc, id desc
	`;
}

/** Makes the templates of an account due for reading, in every organization that shares it. */
export async function makeAccountDue(
	sql: Queryable,
	providerAccountId: string,
	delayMs = 0,
): Promise<void> {
	await sql`
		update accounts
		set due_at = least(due_at, now() + ${delayMs} * interval '1 millisecond')
		where provider_account_id = ${providerAccountId}
	`;
}

/** The same for the accounts of these numbers. */
export async function makeNumbersAccountsDue(
	sql: Queryable,
	phoneNumberIds: readonly string[],
	delayMs: number,
): Promise<void> {
	if (phoneNumberIds.length === 0) return;
	const accounts = await sql<{ id: string }[]>`
		select distinct provider_account_id as id
		from phone_numbers
		where id = any(${[...phoneNumberIds]}::uuid[])
	`;
	for (const { id } of accounts) await makeAccountDue(sql, id, delayMs);
}
