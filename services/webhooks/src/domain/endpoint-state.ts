export type EndpointStatus = "active" | "disabled" | "deleted";

export type DisabledReason = "gone" | "failing";

export const NEXT_ENDPOINT_STATES: Readonly<
	Record<EndpointStatus, readonly EndpointStatus[]>
> = {
	active: ["disabled", "deleted"],
	disabled: ["active", "deleted"],
	deleted: [],
};

/** Disabled ones included. */
export const MAX_ENDPOINTS_PER_ORGANIZATION = 10;

/** An endpoint that did nothing but fail for this many days ... */
export const FAILING_DAYS = 5;
/** ... and at least this often is disabled. */
export const FAILING_MIN_ATTEMPTS = 20;

/** How long a secret goes on signing after it was replaced, hours. */
export const RETIRED_SECRET_HOURS = 24;
/** Replaced secrets that sign at once: a request signs with each of them. */
export const MAX_RETIRED_SECRETS = 4;
