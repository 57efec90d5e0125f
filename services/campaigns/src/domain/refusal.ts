/** They concern the whole campaign and may pass. */
const PAUSING = new Set([
	"quota_exhausted",
	"organization_suspended",
	"sender_not_approved",
	"unknown_sender",
]);

/** They say only "ask again". */
const TRANSIENT = new Set([
	"idempotency_key_in_use",
	"service_unavailable",
	"internal_error",
]);

type RefusalKind = "pause" | "again" | "skip";

export function refusalKind(reason: string): RefusalKind {
	if (PAUSING.has(reason)) return "pause";
	return TRANSIENT.has(reason) ? "again" : "skip";
}
