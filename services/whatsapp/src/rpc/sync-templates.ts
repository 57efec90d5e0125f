import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	SyncTemplatesRequest,
	SyncTemplatesResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { findReadableAccounts } from "../store/accounts.ts";
import { syncTemplates } from "../sync-templates.ts";

/** Reads the templates of all of an organization's business accounts now. */
export async function handleSyncTemplates(
	ctx: Context,
	{ organizationId }: SyncTemplatesRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof SyncTemplatesResponseSchema>> {
	assertOrganization(context, organizationId);
	let templates = 0;
	for (const account of await findReadableAccounts(ctx.sql, organizationId))
		templates += await syncTemplates(ctx, account);
	return { templates };
}
