import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	type ErasableTable,
	foundTable,
} from "@airtower/platform/privacy/erasable-table";
import type { MarketingPreference } from "../domain/marketing-preference.ts";
import { userNumbers } from "../domain/user-number.ts";

interface ChangedPreference extends MarketingPreference {
	readonly organizationId: string;
	/** The number whose messages are meant, E.164 with "+". */
	readonly phone: string;
}

/**
 * Keeps what users said last; returns what is different from before.
 * @param preferences one for each user and number
 */
export async function putPreferences(
	sql: Tx,
	preferences: readonly MarketingPreference[],
): Promise<ChangedPreference[]> {
	if (preferences.length === 0) return [];
	// In one order, so that two batches do not wait for each other. Of the same second, the one that stops counts.
	return sql<ChangedPreference[]>`
		with put as (
			insert into marketing_preferences as known (
				phone_number_id, recipient, organization_id, is_stopped, changed_at
			)
			select phone_numbers.id, recipient, organization_id, is_stopped, at
			from ${unnest(sql, preferences, {
				phoneNumberId: "uuid",
				recipient: "text",
				isStopped: "boolean",
				at: "timestamptz",
			})}
			join phone_numbers on phone_numbers.id = given.phone_number_id
			order by recipient, phone_numbers.id
			on conflict (recipient, phone_number_id) do update
			set is_stopped = excluded.is_stopped, changed_at = excluded.changed_at
			where (excluded.changed_at, excluded.is_stopped) > (known.changed_at, known.is_stopped)
			returning
				new.phone_number_id,
				new.recipient,
				new.organization_id,
				new.is_stopped,
				new.changed_at,
				old.is_stopped as was_stopped
		)
		select
			put.phone_number_id as "phoneNumberId",
			put.recipient,
			put.organization_id as "organizationId",
			put.is_stopped as "isStopped",
			put.changed_at as at,
			phone
		from put
		join phone_numbers on phone_numbers.id = put.phone_number_id
		where put.was_stopped is distinct from put.is_stopped
		order by put.recipient
	`;
}

export const erasablePreferences: ErasableTable = foundTable(
	"marketing_preferences",
	async (sql, { phone, organizationId }, limit) => {
		const { count } = await sql`
			delete from marketing_preferences
			where (recipient, phone_number_id) in (
				select recipient, phone_number_id
				from marketing_preferences
				where true
				${phone === undefined ? sql`` : sql`and recipient = any(${userNumbers(phone)}::text[])`}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
				limit ${limit}
			)
		`;
		return count;
	},
);
