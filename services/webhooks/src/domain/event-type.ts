export type EventType =
	| "message.delivered"
	| "message.failed"
	| "webhook.disabled";

export function toEventType(status: string): EventType | undefined {
	if (status === "delivered") return "message.delivered";
	return status === "failed" ? "message.failed" : undefined;
}
