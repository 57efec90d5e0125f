import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import {
	type AccountChange,
	AccountChangeSchema,
} from "@airtower/proto/accounts/v1/events";
import { fromBinary } from "@bufbuild/protobuf";
import { wakePausedCampaigns } from "../store/campaign-progress.ts";
import { insertClosedOrganizations } from "../store/closed-organizations.ts";

/** Any change may end what campaigns are paused for; a closed organization ends them. */
export async function applyAccountChanges(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const changes = events
		.map((event) => fromBinary(AccountChangeSchema, event.payload))
		.filter(({ change }) => change.case !== "apiKeyRevoked");
	const closed = changes.filter(isClosing);
	await insertClosedOrganizations(sql, closed.map(toOrganizationId));
	await wakePausedCampaigns(sql, changes.map(toOrganizationId));
}

function isClosing({ change }: AccountChange): boolean {
	return (
		change.case === "organizationChanged" && change.value.state === "closed"
	);
}

function toOrganizationId({ organizationId }: AccountChange): string {
	return organizationId;
}
