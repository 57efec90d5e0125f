import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import { currentNumber } from "../domain/user-number.ts";
import { listMessages as listRows } from "../store/messages.ts";
import type { Handler } from "./handler.ts";
import { toListRange } from "./list-range.ts";
import { messageToProto } from "./message-to-proto.ts";

export const listMessages: Handler<
	typeof WhatsAppService.method.listMessages
> = async (ctx, request, context) => {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const { limit, range } = toListRange(request);
	const filter = { ...request, recipient: currentNumber(request.recipient) };
	const found = await listRows(ctx.sql, organizationId, filter, range);
	const { rows, next } = cutPage(found, limit);
	return { messages: rows.map(messageToProto), ...(next && { next }) };
};
