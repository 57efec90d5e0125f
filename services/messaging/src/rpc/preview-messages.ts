import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { previewMessages as preview } from "../accepting/preview-messages.ts";
import type { Handler } from "./handler.ts";

export const previewMessages: Handler<
	typeof MessagingService.method.previewMessages
> = async (ctx, { messages, describeTexts }, context) => {
	for (const id of new Set(messages.map((one) => one.organizationId)))
		assertOrganization(context, id.toLowerCase());
	return { results: await preview(ctx, messages, describeTexts) };
};
