import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { assertReceivingUrl } from "../assert-receiving-url.ts";
import { unknownWebhookEndpoint } from "../errors.ts";
import { updateEndpoint as updateRow } from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";

export const updateEndpoint: Handler<
	typeof WebhooksService.method.updateEndpoint
> = async (ctx, request, context) => {
	const { organizationId, endpointId, subscribedEvents, enable } = request;
	assertOrganization(context, organizationId);
	if (!isUuid(endpointId)) throw unknownWebhookEndpoint();
	const url = request.url;
	if (url !== undefined) await assertReceivingUrl(ctx, url);
	const change = { url, subscribedEvents, enable };
	const row = await updateRow(ctx.sql, organizationId, endpointId, change);
	if (row === undefined) throw unknownWebhookEndpoint();
	return { endpoint: endpointToProto(row) };
};
