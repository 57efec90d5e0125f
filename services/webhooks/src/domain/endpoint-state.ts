/** States of an endpoint; `deleted` is never shown to its owner. */
export type EndpointStatus = "active" | "disabled" | "deleted";

/** Why an endpoint was disabled. */
export type DisabledReason = "gone" | "failing";

export const ENDPOINT_TRANSITIONS: Readonly<
	Record<EndpointStatus, readonly EndpointStatus[]>
> = {
	active: ["disabled", "deleted"],
	disabled: ["deleted"],
	deleted: [],
};

/** Endpoints that one organization may have, disabled ones included. */
export const MAX_ENDPOINTS_PER_ORGANIZATION = 10;

/** An endpoint that did nothing but fail for this long is disabled, days ... */
export const FAILING_DAYS = 5;
/** ... if it failed at least this often. */
export const FAILING_MIN_ATTEMPTS = 20;
