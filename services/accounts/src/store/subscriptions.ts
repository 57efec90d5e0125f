import type { Tx } from "@airtower/platform/database";
import type { SubscriptionState } from "../domain/subscription-state.ts";

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
