import type { OrganizationState } from "./organization-state.ts";

/** States of a subscription; canceled is the end. */
export const SUBSCRIPTION_STATES = ["active", "past_due", "canceled"] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

const FOLLOWS: Record<OrganizationState, SubscriptionState | undefined> = {
	trial: "active",
	active: "active",
	past_due: "past_due",
	suspended: undefined,
	closed: "canceled",
};

/** The state a subscription takes with its organization's new one; undefined when it stays as it is. */
export function subscriptionStateFor(
	organization: OrganizationState,
): SubscriptionState | undefined {
	return FOLLOWS[organization];
}
