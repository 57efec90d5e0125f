import type { Queryable } from "@airtower/platform/database/database";

/** The provider's times are whole seconds. */
const SECOND_MS = 1_000;

export interface ProviderNumber {
	readonly id: string;
	readonly organizationId: string;
	readonly providerPhoneNumberId: string;
	/** Nobody has registered it again: what users write to it is for nobody. */
	readonly isRemoved: boolean;
	/** When it was registered after a removal: what users wrote before was not for this organization. Null for the first. */
	readonly againAt: Date | null;
}

/** Whether what a user wrote to a number is for the organization that has it now. */
export function isFor(
	number: ProviderNumber | undefined,
	at: Date,
): number is ProviderNumber {
	if (number === undefined || number.isRemoved) return false;
	const endOfSecond = at.getTime() + SECOND_MS;
	return number.againAt === null || endOfSecond > number.againAt.getTime();
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
			status = 'removed' as "isRemoved",
			case
				when created_at > min(created_at) over (partition by provider_phone_number_id)
				then created_at
			end as "againAt"
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
