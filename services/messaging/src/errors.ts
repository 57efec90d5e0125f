import {
	conflict,
	type DomainError,
	notFound,
	unavailable,
} from "@airtower/platform/runtime/domain-error";

/** Messages may be stored yet that nobody sees. */
export function commitOverdue(): DomainError {
	return unavailable(
		"commit_overdue",
		"Messages are still being stored; ask again later.",
	);
}

/** Of every act on routes where they are not data. */
export function routesNotStored(): DomainError {
	return conflict(
		"routes_not_stored",
		"Messaging has no ENCRYPTION_KEYS, so the route of SMPP_ROUTE_URL is the only one and is changed there; " +
			"set the keys and restart messaging to keep routes in the database.",
	);
}

export function unknownRoute(message: string): DomainError {
	return notFound("unknown_route", message, { field: "code" });
}

export function routeRemoved(): DomainError {
	return conflict(
		"invalid_transition",
		"The route was removed: add it again.",
		{ field: "code" },
	);
}
