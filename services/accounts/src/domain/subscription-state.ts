import type { OrganizationState } from "./organization-state.ts";

export const SUBSCRIPTION_STATES = ["active", "past_due", "canceled"] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** The state a subscription takes with its organization's new one; undefined when it stays as it is. */
export const SUBSCRIPTION_STATE_WITH: Record<
	OrganizationState,
	SubscriptionState | undefined
> = {
	trial: "active",
	active: "active",
	past_due: "past_due",
	suspended: undefined,
	closed: "canceled",
};
