import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListSentMessagesRequest,
	MessagingService,
} from "@airtower/proto/messaging/v1/messaging";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
	findLastLookedAt,
	findMessages,
	type MessageFilters,
	type MessagePage,
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
	const asked = { filters: filtersFrom(request), after, limit: limit + 1 };
	const found = await findMessages(ctx.sql, organizationId, asked);
	const { rows, next } = cutPage(found, limit);
	const messages = rows.map(messageToProto);
	const goesOn = next ?? (await nextLook(ctx, organizationId, asked));
	return goesOn === undefined ? { messages } : { messages, next: goesOn };
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

async function nextLook(
	{ sql }: Context,
	organizationId: string,
	page: MessagePage,
) {
	const last = await findLastLookedAt(sql, organizationId, page);
	if (last === undefined) return undefined;
	return { createdAt: timestampFromDate(last.createdAt), id: last.id };
}
