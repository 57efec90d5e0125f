import {
	type WebhookEndpoint,
	WebhookEndpointSchema,
} from "@airtower/proto/webhooks/v1/webhooks";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { EndpointRow } from "../store/endpoints.ts";

export function endpointToProto(row: EndpointRow): WebhookEndpoint {
	return create(WebhookEndpointSchema, {
		id: row.id,
		url: row.url,
		subscribedEvents: row.subscribedEvents,
		status: row.status,
		disabledReason: row.disabledReason ?? "",
		createdAt: timestampFromDate(row.createdAt),
		...(row.disabledAt !== null && {
			disabledAt: timestampFromDate(row.disabledAt),
		}),
	});
}
