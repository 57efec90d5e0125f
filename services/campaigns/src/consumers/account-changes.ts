import type { Tx } from "@airtower/platform/database";
import type { BusEvent } from "@airtower/platform/event-bus";
import { AccountChangeSchema } from "@airtower/proto/accounts/v1/events";
import { fromBinary } from "@bufbuild/protobuf";
import { wakePausedCampaigns } from "../store/campaigns.ts";

/** A top-up, or an organization that is active again, may end what its campaigns are paused for. */
export async function wakeOnAccountChanges(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const organizationIds = events
		.map((event) => fromBinary(AccountChangeSchema, event.payload))
		.filter((change) => change.change.case !== "apiKeyRevoked")
		.map((change) => change.organizationId);
	await wakePausedCampaigns(sql, organizationIds);
}
