import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { countDeliveries } from "./count-deliveries.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { redriveDeliveries } from "./redrive-deliveries.ts";

/** The RPC services of this process. */
export const services = [WebhooksService, WebhooksAdminService];

/** Registers every RPC. */
export function routes(ctx: Context) {
	return (router: ConnectRouter): void => {
		router.service(WebhooksService, {
			createEndpoint: createEndpoint(ctx),
			listEndpoints: listEndpoints(ctx),
			deleteEndpoint: deleteEndpoint(ctx),
		});
		router.service(WebhooksAdminService, {
			listDeliveries: listDeliveries(ctx),
			countDeliveries: countDeliveries(ctx),
			redriveDeliveries: redriveDeliveries(ctx),
		});
	};
}
