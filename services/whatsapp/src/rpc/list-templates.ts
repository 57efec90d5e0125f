import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import { listTemplates as listRows } from "../store/templates.ts";
import type { Handler } from "./handler.ts";
import { toListRange } from "./list-range.ts";
import { templateToProto } from "./template-to-proto.ts";

export const listTemplates: Handler<
	typeof WhatsAppService.method.listTemplates
> = async (ctx, request, context) => {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const { limit, range } = toListRange(request);
	const found = await listRows(ctx.sql, organizationId, request, range);
	const { rows, next } = cutPage(found, limit);
	return { templates: rows.map(templateToProto), ...(next && { next }) };
};
