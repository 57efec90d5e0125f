import type { Queryable } from "@airtower/platform/database/database";

export interface ProviderNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly providerPhoneNumberId: string;
	/** Nobody has registered it again: what users write to it is for nobody. */
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

/** All that ever had these ids of the provider: one that was removed and registered again has left messages behind. */
export async function findNumberIds(
	sql: Queryable,
	named: readonly Pick<ProviderNumber, "providerPhoneNumberId">[],
): Promise<Map<string, string[]>> {
	const ids = new Set(named.map((one) => one.providerPhoneNumberId));
	const rows = await sql<{ providerId: string; numberIds: string[] }[]>`
		select
			provider_phone_number_id as "providerId",
			array_agg(id) as "numberIds"
		from phone_numbers
		where provider_phone_number_id = any(${[...ids]}::text[])
		group by provider_phone_number_id
	`;
	return new Map(rows.map((row) => [row.providerId, row.numberIds]));
}
