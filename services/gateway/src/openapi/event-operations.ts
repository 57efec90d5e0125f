import type { Operation } from "./document.ts";
import { eventExamples } from "./examples.ts";
import type { parameters } from "./headers.ts";

const HEADERS: readonly (keyof typeof parameters)[] = [
	"ServiceTimestamp",
	"ServiceSignature",
	"ServiceEventId",
	"WebhookId",
	"WebhookTimestamp",
	"WebhookSignature",
];

const DESCRIPTION =
	"Answer with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. An event may come more than once: its id stays the same. Verify the signature over the raw body before you trust it, with either family of headers, and refuse timestamps more than five minutes away.";

/** The callbacks that Airtower makes, as the document's webhooks section. */
export function eventOperations(): Record<string, Record<string, Operation>> {
	return {
		"message.delivered": {
			post: eventOperation("message.delivered", "A message was delivered"),
		},
		"message.failed": {
			post: eventOperation("message.failed", "A message was not delivered"),
		},
	};
}

function eventOperation(
	kind: keyof typeof eventExamples,
	summary: string,
): Operation {
	return {
		operationId: kind === "message.delivered" ? "onDelivered" : "onFailed",
		summary,
		description: DESCRIPTION,
		tags: ["Webhooks"],
		security: [],
		parameters: HEADERS.map((name) => ({
			$ref: `#/components/parameters/${name}`,
		})),
		requestBody: {
			required: true,
			content: {
				"application/json": {
					schema: { $ref: "#/components/schemas/WebhookEvent" },
					example: eventExamples[kind],
				},
			},
		},
		responses: {
			"2XX": { description: "Taken. The body is ignored." },
			"410": { description: "Gone: the endpoint is disabled at once." },
			default: { description: "Not taken: the event comes again." },
		},
	};
}
