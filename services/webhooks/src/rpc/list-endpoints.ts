import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { invalidCursor } from "../errors.ts";
import { listEndpoints as listRows } from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";

export const listEndpoints: Handler<
	typeof WebhooksService.method.listEndpoints
> = async (ctx, { organizationId, page }, context) => {
	assertOrganization(context, organizationId);
	const after = pageStart(page);
	if (after !== undefined && !isUuid(after.id)) throw invalidCursor();
	const limit = page?.limit ?? 0;
	const found = await listRows(ctx.sql, organizationId, limit + 1, after);
	const { rows, next } = cutPage(found, limit);
	const endpoints = rows.map(endpointToProto);
	return next === undefined ? { endpoints } : { endpoints, next };
};
