import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListAllTemplatesRequest,
	ListAllTemplatesResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { listAllTemplates } from "../store/templates.ts";
import { templateToProto } from "./template-to-proto.ts";

/** Most templates in one answer, within the size of a message. */
const MAX_TEMPLATES = 5_000;

/** All of an organization's templates, the locally disabled ones included, newest first. */
export async function handleListAllTemplates(
	ctx: Context,
	{ organizationId }: ListAllTemplatesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListAllTemplatesResponseSchema>> {
	assertOrganization(context, organizationId);
	const rows = await listAllTemplates(ctx.sql, organizationId, MAX_TEMPLATES);
	return {
		templates: rows.map((row) => ({
			template: templateToProto(row),
			locallyDisabled: row.locallyDisabled,
		})),
	};
}
