import { startRpcServer } from "@airtower/platform/rpc/server";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { createMessageStore, type MessageStore } from "./message-store.ts";

export interface MessagingServer {
	readonly url: string;
	readonly messages: MessageStore;
	close(): Promise<void>;
}

/** A message store behind a real RPC server that checks tokens as messaging does. */
export async function startMessagingServer(): Promise<MessagingServer> {
	const messages = createMessageStore();
	const server = await startRpcServer({
		host: "127.0.0.1",
		port: 0,
		audience: "messaging",
		ring: testKeyRing,
		log: silentLog,
		metrics: createMetrics("messaging"),
		routes: (router) =>
			router.service(MessagingService, {
				listMissingMessages: (request) => messages.listMissingMessages(request),
			}),
		services: [MessagingService],
		isHealthy: async () => true,
	});
	return {
		url: `http://127.0.0.1:${server.port}`,
		messages,
		close: () => server.close(),
	};
}
