/** Commercial states of an organization. */
export const ORGANIZATION_STATES = [
	"trial",
	"active",
	"past_due",
	"suspended",
	"closed",
] as const;

export type OrganizationState = (typeof ORGANIZATION_STATES)[number];

/** Where each state may lead; closed is the end. */
const NEXT: Record<OrganizationState, readonly OrganizationState[]> = {
	trial: ["active", "suspended", "closed"],
	active: ["past_due", "suspended", "closed"],
	past_due: ["active", "suspended", "closed"],
	suspended: ["trial", "active", "past_due", "closed"],
	closed: [],
};

export function isOrganizationState(word: string): word is OrganizationState {
	return (ORGANIZATION_STATES as readonly string[]).includes(word);
}

/** True when an organization may move between two different states. */
export function mayMove(
	from: OrganizationState,
	to: OrganizationState,
): boolean {
	return NEXT[from].includes(to);
}

/** States in which an organization may send, and so reserve quota. */
export const SENDING_STATES: readonly OrganizationState[] = [
	"trial",
	"active",
	"past_due",
];

/** True when an organization in this state may send. */
export function maySend(state: OrganizationState): boolean {
	return SENDING_STATES.includes(state);
}
