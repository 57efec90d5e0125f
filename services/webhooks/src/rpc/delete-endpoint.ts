import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { unknownWebhookEndpoint } from "../errors.ts";
import { isBeingSentTo } from "../store/delivery-queue.ts";
import { markEndpointDeleted } from "../store/endpoints.ts";
import type { Handler } from "./handler.ts";

const MAX_WAIT_MS = 1_000;
const CHECK_EVERY_MS = 20;

/** Waits for attempts in flight in any process: but for a receiver that hangs, nothing arrives after the response. */
export const deleteEndpoint: Handler<
	typeof WebhooksService.method.deleteEndpoint
> = async ({ sql }, { organizationId, endpointId }, context) => {
	assertOrganization(context, organizationId);
	if (!isUuid(endpointId)) throw unknownWebhookEndpoint();
	const deleted = await markEndpointDeleted(sql, organizationId, endpointId);
	if (!deleted) throw unknownWebhookEndpoint();
	await attemptsEnded(sql, endpointId);
	return {};
};

async function attemptsEnded(sql: Db, endpointId: string): Promise<void> {
	const deadline = Date.now() + MAX_WAIT_MS;
	while (Date.now() < deadline && (await isBeingSentTo(sql, endpointId)))
		await delay(CHECK_EVERY_MS);
}
