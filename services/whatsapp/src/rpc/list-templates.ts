import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListTemplatesRequest,
	ListTemplatesResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { listTemplates } from "../store/templates.ts";
import { toListRange } from "./list-range.ts";
import { templateToProto } from "./template-to-proto.ts";

/** One page of templates that are not locally disabled, newest first. */
export async function handleListTemplates(
	ctx: Context,
	request: ListTemplatesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListTemplatesResponseSchema>> {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const { limit, range } = toListRange(request);
	const found = await listTemplates(ctx.sql, organizationId, request, range);
	const { rows, next } = cutPage(found, limit);
	return { templates: rows.map(templateToProto), ...(next && { next }) };
}
