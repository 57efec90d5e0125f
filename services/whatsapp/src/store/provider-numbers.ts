import type { Queryable } from "@airtower/platform/database/database";

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
