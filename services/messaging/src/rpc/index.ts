import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { MessagingContext } from "../context.ts";
import { countMessages } from "./count-messages.ts";
import { decideSenderId } from "./decide-sender-id.ts";
import { listMissingMessages } from "./list-missing-messages.ts";
import { listPendingSenderIds } from "./list-pending-sender-ids.ts";
import { listRoutes } from "./list-routes.ts";
import { listSenderIds } from "./list-sender-ids.ts";
import { requestSenderId } from "./request-sender-id.ts";
import { sendMessages } from "./send-messages.ts";
import { traceMessage } from "./trace-message.ts";

/** The services that {@link routeMessaging} registers. */
export const messagingServices = [MessagingService, MessagingAdminService];

/** Registers the handlers of both services. */
export function routeMessaging(
	router: ConnectRouter,
	ctx: MessagingContext,
): void {
	const using =
		<Q, A>(
			handler: (
				ctx: MessagingContext,
				request: Q,
				context: HandlerContext,
			) => Promise<A>,
		) =>
		(request: Q, context: HandlerContext) =>
			handler(ctx, request, context);

	router.service(MessagingService, {
		sendMessages: using(sendMessages),
		listMissingMessages: using(listMissingMessages),
		requestSenderId: using(requestSenderId),
		listSenderIds: using(listSenderIds),
	});
	router.service(MessagingAdminService, {
		decideSenderId: using(decideSenderId),
		listPendingSenderIds: using(listPendingSenderIds),
		traceMessage: using(traceMessage),
		countMessages: using(countMessages),
		listRoutes: using(listRoutes),
	});
}
