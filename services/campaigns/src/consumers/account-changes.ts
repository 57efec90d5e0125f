import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import {
	type AccountChange,
	AccountChangeSchema,
} from "@airtower/proto/accounts/v1/events";
import { fromBinary } from "@bufbuild/protobuf";
import { wakePausedCampaigns } from "../store/campaign-progress.ts";
import { insertClosedOrganizations } from "../store/closed-organizations.ts";
import {
	addShares,
	liftShares,
	type ShareGrant,
} from "../store/quota-shares.ts";

/** Any change may end what campaigns are paused for; a closed organization ends them. */
export async function applyAccountChanges(
	sql: Tx,
	events: readonly BusEvent[],
	sharePercent: number,
): Promise<void> {
	const changes = events
		.map((event) => fromBinary(AccountChangeSchema, event.payload))
		.filter(({ change }) => change.case !== "apiKeyRevoked");
	const closed = changes.filter(isClosing).map(toOrganizationId);
	await insertClosedOrganizations(sql, closed);
	await wakePausedCampaigns(sql, changes.map(toOrganizationId), closed);
	const shares = changes.flatMap((change) => toShare(change, sharePercent));
	await addShares(sql, shares);
	await liftShares(sql, closed);
}

function toShare(
	{ organizationId, change }: AccountChange,
	percent: number,
): ShareGrant[] {
	if (change.case !== "quotaGranted" || change.value.units === 0n) return [];
	const units = Math.floor((Number(change.value.units) * percent) / 100);
	return [{ organizationId, units }];
}

function isClosing({ change }: AccountChange): boolean {
	return (
		change.case === "organizationChanged" && change.value.state === "closed"
	);
}

function toOrganizationId({ organizationId }: AccountChange): string {
	return organizationId;
}
