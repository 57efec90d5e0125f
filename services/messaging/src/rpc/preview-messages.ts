import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { previewMessages as preview } from "../accepting/preview-messages.ts";
import type { Handler } from "./handler.ts";

export const previewMessages: Handler<
	typeof MessagingService.method.previewMessages
> = async (ctx, { messages, describeTexts, at }, context) => {
	for (const id of new Set(messages.map((one) => one.organizationId)))
		assertOrganization(context, id.toLowerCase());
	const options = { describeTexts, at: at && timestampDate(at) };
	return { results: await preview(ctx, messages, options) };
};
