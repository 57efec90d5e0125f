import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { SubscriptionState } from "../domain/subscription-state.ts";

interface SubscriptionRow {
	readonly plan: string;
	readonly status: SubscriptionState;
	readonly startedAt: Date;
	readonly canceledAt: Date | null;
}

export async function findSubscription(
	sql: Queryable,
	organizationId: string,
): Promise<SubscriptionRow | undefined> {
	const [row] = await sql<SubscriptionRow[]>`
		select
			plan,
			status,
			started_at as "startedAt",
			canceled_at as "canceledAt"
		from subscriptions
		where organization_id = ${organizationId}
	`;
	return row;
}

export async function insertSubscription(
	sql: Tx,
	organizationId: string,
	plan: string,
): Promise<void> {
	await sql`
		insert into subscriptions (organization_id, plan, status)
		values (${organizationId}, ${plan}, 'active')
	`;
}

export async function updateSubscriptionState(
	sql: Tx,
	organizationId: string,
	status: SubscriptionState,
): Promise<void> {
	await sql`
		update subscriptions
		set
			status = ${status},
			canceled_at = case when ${status} = 'canceled' then now() end
		where organization_id = ${organizationId}
	`;
}

/** Returns the plan before; undefined when the organization has that plan already. */
export async function updateSubscriptionPlan(
	sql: Tx,
	organizationId: string,
	plan: string,
): Promise<string | undefined> {
	const [moved] = await sql<{ was: string }[]>`
		update subscriptions
		set plan = ${plan}
		where organization_id = ${organizationId}
		and plan <> ${plan}
		returning old.plan as was
	`;
	return moved?.was;
}
