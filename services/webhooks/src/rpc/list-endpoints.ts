import { cutPage, uuidPageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { listEndpoints as listRows } from "../store/endpoints.ts";
import { endpointToProto } from "./endpoint-to-proto.ts";
import type { Handler } from "./handler.ts";

export const listEndpoints: Handler<
	typeof WebhooksService.method.listEndpoints
> = async (ctx, { organizationId, page }, context) => {
	assertOrganization(context, organizationId);
	const after = uuidPageStart(page);
	const limit = page?.limit ?? 0;
	const found = await listRows(ctx.sql, organizationId, limit + 1, after);
	const { rows, next } = cutPage(found, limit);
	const endpoints = rows.map(endpointToProto);
	return next === undefined ? { endpoints } : { endpoints, next };
};
