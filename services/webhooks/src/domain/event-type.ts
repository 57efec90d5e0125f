/** Event kinds that an endpoint can subscribe to. */
export type EventType = "message.delivered" | "message.failed";

/** The event kind of an outcome's status; undefined for a status that is no outcome. */
export function toEventType(status: string): EventType | undefined {
	if (status === "delivered") return "message.delivered";
	return status === "failed" ? "message.failed" : undefined;
}
