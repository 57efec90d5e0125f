import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListSentMessagesRequest,
	MessagingService,
} from "@airtower/proto/messaging/v1/messaging";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
	findLastLookedAt,
	findMessages,
	type MessageFilters,
} from "../store/listed-messages.ts";
import type { Handler } from "./handler.ts";
import { messageToProto } from "./message-to-proto.ts";

export const listSentMessages: Handler<
	typeof MessagingService.method.listSentMessages
> = async (ctx, request, context) => {
	const { organizationId, page } = request;
	assertOrganization(context, organizationId.toLowerCase());
	const limit = page?.limit ?? 0;
	const after = pageStart(page)?.id;
	const filters = filtersFrom(request);
	const asked = { filters, after, limit: limit + 1 };
	const last = Object.values(filters).some((one) => one)
		? await findLastLookedAt(ctx.sql, organizationId, asked)
		: undefined;
	const found = await findMessages(ctx.sql, organizationId, {
		...asked,
		end: last?.id,
	});
	const { rows, next } = cutPage(found, limit, last);
	const messages = rows.map(messageToProto);
	return next === undefined ? { messages } : { messages, next };
};

function filtersFrom(request: ListSentMessagesRequest): MessageFilters {
	const { status, recipient, campaignId, clientReference } = request;
	const { dateFrom, dateTo } = request;
	return {
		status,
		recipient,
		clientReference,
		campaignId: campaignId.toLowerCase(),
		from: dateFrom && timestampDate(dateFrom),
		to: dateTo && timestampDate(dateTo),
	};
}
