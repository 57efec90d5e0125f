import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { Context } from "../context.ts";
import { unknownWebhookEndpoint } from "../errors.ts";
import type { DeliveryStatus } from "../store/deliveries.ts";
import { findEndpointStatus } from "../store/endpoints.ts";
import {
	findScanEnd,
	listEndpointDeliveries as listRows,
} from "../store/listed-deliveries.ts";
import { deliveryToProto } from "./delivery-to-proto.ts";
import type { Handler } from "./handler.ts";

export const listEndpointDeliveries: Handler<
	typeof WebhooksService.method.listEndpointDeliveries
> = async (ctx, request, context) => {
	const { organizationId, endpointId, page } = request;
	assertOrganization(context, organizationId);
	await assertEndpoint(ctx, organizationId, endpointId);
	const after = uuidPageStart(page)?.id;
	const limit = page?.limit ?? 0;
	const status = (request.status || undefined) as DeliveryStatus | undefined;
	const wanted = { endpointId, status, after, limit: limit + 1 };
	const scanEnd = await findScanEnd(ctx.sql, organizationId, wanted);
	const found = await listRows(ctx.sql, organizationId, {
		...wanted,
		end: scanEnd?.id,
	});
	const keyed = found.map((row) => ({ ...row, id: row.eventId }));
	const { rows, next } = cutPage(keyed, limit, scanEnd);
	const deliveries = rows.map(deliveryToProto);
	return next === undefined ? { deliveries } : { deliveries, next };
};

async function assertEndpoint(
	{ sql }: Context,
	organizationId: string,
	endpointId: string,
): Promise<void> {
	const isKnown =
		isUuid(endpointId) &&
		(await findEndpointStatus(sql, organizationId, endpointId)) !== undefined;
	if (!isKnown) throw unknownWebhookEndpoint();
}
