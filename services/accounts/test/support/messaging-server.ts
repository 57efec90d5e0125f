import { rpcRoute } from "@airtower/platform/rpc/route";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
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
	const { url, close } = await serveRoutes("messaging", [
		rpcRoute(MessagingService, {
			listMissingMessages: (request) => messages.listMissingMessages(request),
			listStoredMessages: (request) => messages.listStoredMessages(request),
		}),
	]);
	return { url, messages, close };
}
