import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { ServiceImpl } from "@connectrpc/connect";
import { createMetrics } from "../../runtime/metrics.ts";
import { testTrustedKeys } from "../../testing/identities.ts";
import { silentLog } from "../../testing/log.ts";
import { type CallShare, rpcRoute } from "../route.ts";
import {
	type RpcServer,
	type RpcServerOptions,
	startRpcServer,
} from "../server.ts";

export const AUDIENCE = "webhooks";
export const ORGANIZATION = "018f0000-0000-7000-8000-000000000001";

export type WebhooksHandlers = Partial<ServiceImpl<typeof WebhooksService>>;

export interface TestServerOptions extends Partial<RpcServerOptions> {
	readonly webhooks?: WebhooksHandlers;
	readonly share?: CallShare<keyof (typeof WebhooksService)["method"]>;
}

const handlers: WebhooksHandlers = {
	listEndpoints: ({ organizationId }) => ({
		endpoints: [{ id: organizationId, url: "https://example.org/hook" }],
	}),
	deleteEndpoint: () => ({}),
};

export function startTestServer(
	options: TestServerOptions = {},
): Promise<RpcServer> {
	const routes = [
		rpcRoute(
			WebhooksService,
			{ ...handlers, ...options.webhooks },
			options.share,
		),
		rpcRoute(WebhooksAdminService, {
			countDeliveries: () => ({ counts: { pending: 1n } }),
		}),
		...(options.routes ?? []),
	];
	return startRpcServer({
		host: "127.0.0.1",
		port: 0,
		audience: AUDIENCE,
		trustedKeys: testTrustedKeys,
		log: silentLog,
		metrics: createMetrics("test"),
		isHealthy: () => Promise.resolve(true),
		openReflection: true,
		...options,
		routes,
	});
}
