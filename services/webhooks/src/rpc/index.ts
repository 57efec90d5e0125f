import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { Context } from "../context.ts";
import { countDeliveries } from "./count-deliveries.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEndpointDeliveries } from "./list-endpoint-deliveries.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { listMessageDeliveries } from "./list-message-deliveries.ts";
import { listOldestDeliveries } from "./list-oldest-deliveries.ts";
import { redeliver } from "./redeliver.ts";
import { redriveDeliveries } from "./redrive-deliveries.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { updateEndpoint } from "./update-endpoint.ts";

export function rpcRoutes(ctx: Context): RpcRoute[] {
	return [
		rpcRoute(
			WebhooksService,
			withContext(ctx, {
				createEndpoint,
				listEndpoints,
				deleteEndpoint,
				updateEndpoint,
				rotateSecret,
				listEndpointDeliveries,
				redeliver,
				listMessageDeliveries,
			}),
		),
		rpcRoute(
			WebhooksAdminService,
			withContext(ctx, {
				listDeliveries,
				listOldestDeliveries,
				countDeliveries,
				redriveDeliveries,
			}),
		),
	];
}
