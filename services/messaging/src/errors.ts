import {
	type DomainError,
	unavailable,
} from "@airtower/platform/runtime/domain-error";

/** Messages may be stored yet that nobody sees. */
export function commitOverdue(): DomainError {
	return unavailable(
		"commit_overdue",
		"Messages are still being stored; ask again later.",
	);
}
