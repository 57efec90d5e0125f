import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { claimDue } from "@airtower/platform/work/leased-queue";
import type { ExpectedParameters } from "../../domain/template-parameters.ts";
import type { SendableFacts } from "../../domain/template-state.ts";
import { windowExpiry } from "../windows.ts";
import { type DispatchContent, dispatchQueue } from "./dispatch.ts";
import type { Fence } from "./owned-dispatch.ts";

export interface ClaimedMessage extends Fence {
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly content: DispatchContent;
	readonly refusals: number;
	/** As the next one by the database's clock: that of a process may be wrong. */
	readonly claimedAt: Date;
	readonly expiresAt: Date;
	readonly providerPhoneNumberId: string;
	readonly sealedToken: Buffer;
	readonly windowExpiresAt: Date | null;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
	/** Null for a text. */
	readonly template: ClaimedTemplate | null;
}

interface ClaimedTemplate extends SendableFacts, ExpectedParameters {
	readonly name: string;
	readonly language: string;
	readonly parameterNames: string[] | null;
}

interface ClaimOptions {
	readonly token: string;
	readonly limit: number;
	/** Messages per second of one number, over all processes. */
	readonly ratePerSecond: number;
	/** How far ahead of its rate a number may run, ms. */
	readonly burstMs: number;
}

/** Most numbers in one claim; the others have their turn in the next. */
const MAX_NUMBERS = 100;

/** Claims due messages of active numbers as their rates allow; locked pacing rows keep others from the same times. */
export async function claimDispatch(
	sql: Queryable,
	{ token, limit, ratePerSecond, burstMs }: ClaimOptions,
): Promise<ClaimedMessage[]> {
	const burstEnd = sql`now() + ${burstMs} * interval '1 millisecond'`;
	const claim = { token, limit, groups: sql`shares` };
	return byIndex(
		sql,
		(sql) => sql<ClaimedMessage[]>`
		with numbers as materialized (
			select phone_number_id, greatest(free_at, now()) as free_at
			from pacing
			where free_at < ${burstEnd}
			and paused_until <= now()
			and exists (
				select
				from phone_numbers
				where id = pacing.phone_number_id
				and status = 'active'
				and organization_id not in (
					select organization_id
					from suspended_organizations
				)
			)
			and exists (
				select
				from dispatch
				where dispatch.phone_number_id = pacing.phone_number_id
				and due_at <= now()
				and token is null
			)
			order by free_at
			limit ${MAX_NUMBERS}
			for update skip locked
		),
		shares as (
			select
				phone_number_id as id,
				row_number() over (order by free_at) as nth,
				least(
					ceil(${limit}::float8 / count(*) over ()),
					ceil(extract(epoch from ${burstEnd} - free_at)::float8 * ${ratePerSecond}::float8)
				)::bigint as share
			from numbers
		),
		claimed as (${claimDue(sql, dispatchQueue, claim)}),
		booked as (
			update pacing
			set free_at = numbers.free_at
				+ taken.count / ${ratePerSecond}::float8 * interval '1 second'
			from numbers
			join (
				select phone_number_id, count(*) as count
				from claimed
				group by phone_number_id
			) as taken using (phone_number_id)
			where pacing.phone_number_id = numbers.phone_number_id
		)
		select
			message_id as "messageId",
			token,
			attempt,
			claimed.phone_number_id as "phoneNumberId",
			recipient,
			content,
			refusals,
			now() as "claimedAt",
			expires_at as "expiresAt",
			phone_numbers.provider_phone_number_id as "providerPhoneNumberId",
			phone_numbers.access_token as "sealedToken",
			${windowExpiry(sql, "claimed")} as "windowExpiresAt",
			(
				select traceparent
				from messages
				where messages.id = message_id
			) as traceparent,
			case when templates.id is not null then json_build_object(
				'name', templates.name,
				'language', templates.language,
				'category', templates.category,
				'status', templates.status,
				'locallyDisabled', templates.locally_disabled,
				'bodyOnly', templates.body_only,
				'parameterCount', templates.parameter_count,
				'parameterNames', templates.parameter_names
			) end as template
		from claimed
		join phone_numbers on phone_numbers.id = claimed.phone_number_id
		left join templates on templates.id = claimed.template_id
		order by claimed.due_at, message_id
	`,
	);
}
