import {
	type Delivery,
	DeliverySchema,
} from "@airtower/proto/webhooks/v1/delivery";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DeliveryRow } from "../store/delivery-rows.ts";

export function deliveryToProto(row: DeliveryRow): Delivery {
	return create(DeliverySchema, {
		eventId: row.eventId,
		endpointId: row.endpointId,
		status: row.status,
		attempts: row.attempt,
		lastHttpStatus: row.lastHttpStatus ?? 0,
		lastError: row.lastError ?? "",
		type: row.type,
		messageId: row.messageId ?? "",
		createdAt: timestampFromDate(row.createdAt),
		...(row.dueAt === null
			? {}
			: { nextAttemptAt: timestampFromDate(row.dueAt) }),
	});
}
