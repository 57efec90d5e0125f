/** Refusals that concern the whole campaign and may pass: it is paused, and nobody is skipped. */
const PAUSING = new Set([
	"quota_exhausted",
	"organization_suspended",
	"sender_not_approved",
	"unknown_sender",
]);

/** Refusals that say only "ask again": the recipient stays pending. */
const TRANSIENT = new Set([
	"idempotency_key_in_use",
	"service_unavailable",
	"internal_error",
]);

export type RefusalKind = "pause" | "again" | "skip";

export function refusalKind(reason: string): RefusalKind {
	if (PAUSING.has(reason)) return "pause";
	return TRANSIENT.has(reason) ? "again" : "skip";
}
