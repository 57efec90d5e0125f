export const ORGANIZATION_STATES = [
	"trial",
	"active",
	"past_due",
	"suspended",
	"closed",
] as const;

export type OrganizationState = (typeof ORGANIZATION_STATES)[number];

const NEXT_ORGANIZATION_STATES: Record<
	OrganizationState,
	readonly OrganizationState[]
> = {
	trial: ["active", "suspended", "closed"],
	active: ["past_due", "suspended", "closed"],
	past_due: ["active", "suspended", "closed"],
	suspended: ["trial", "active", "past_due", "closed"],
	closed: [],
};

export function isOrganizationState(value: string): value is OrganizationState {
	return (ORGANIZATION_STATES as readonly string[]).includes(value);
}

export function mayMove(
	from: OrganizationState,
	to: OrganizationState,
): boolean {
	return NEXT_ORGANIZATION_STATES[from].includes(to);
}

export const SENDING_STATES: readonly OrganizationState[] = [
	"trial",
	"active",
	"past_due",
];
