import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	InboundService,
	ListInboundRequest,
} from "@airtower/proto/messaging/v1/inbound";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { firstWord } from "../../domain/inbound/first-word.ts";
import {
	findInboundTexts,
	findLastInbound,
	type InboundFilters,
} from "../../store/inbound/inbound-messages.ts";
import type { Handler } from "../handler.ts";
import { inboundToProto } from "./inbound-to-proto.ts";

export const listInbound: Handler<
	typeof InboundService.method.listInbound
> = async (ctx, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const limit = request.page?.limit ?? 0;
	const after = uuidPageStart(request.page)?.id;
	const filters = filtersFrom(request);
	const asked = { filters, after, limit: limit + 1 };
	const last = Object.values(filters)
		.flat()
		.some((one) => one)
		? await findLastInbound(ctx.sql, organizationId, asked)
		: undefined;
	const found = await findInboundTexts(ctx.sql, organizationId, {
		...asked,
		end: last?.id,
	});
	const keyed = found.map((row) => ({ ...row, createdAt: row.receivedAt }));
	const { rows, next } = cutPage(keyed, limit, last);
	const messages = rows.map(inboundToProto);
	return next === undefined ? { messages } : { messages, next };
};

function filtersFrom(request: ListInboundRequest): InboundFilters {
	const { from, to, keyword, dateFrom, dateTo } = request;
	return {
		senders: from,
		recipients: to,
		// Without a word it is no number's keyword, and finds nothing.
		keyword: firstWord(keyword) || keyword,
		from: dateFrom && timestampDate(dateFrom),
		to: dateTo && timestampDate(dateTo),
	};
}
