export type EndpointStatus = "active" | "disabled" | "deleted";

export type DisabledReason = "gone" | "failing";

export const ENDPOINT_TRANSITIONS: Readonly<
	Record<EndpointStatus, readonly EndpointStatus[]>
> = {
	active: ["disabled", "deleted"],
	disabled: ["deleted"],
	deleted: [],
};

/** Disabled ones included. */
export const MAX_ENDPOINTS_PER_ORGANIZATION = 10;

/** An endpoint that did nothing but fail for this many days ... */
export const FAILING_DAYS = 5;
/** ... and at least this often is disabled. */
export const FAILING_MIN_ATTEMPTS = 20;
