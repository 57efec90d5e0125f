import { transaction } from "@airtower/platform/database/database";
import { applyAccountChanges } from "../../src/consumers/account-changes.ts";
import { applyMessageOutcomes } from "../../src/consumers/index.ts";
import { accountChange, outcome } from "../test-campaigns.ts";
import type { Message, Organization, World } from "./world.ts";

const SHARE_PERCENT = 50;

export function grantTo(organization: Organization, units: number): void {
	organization.messaging.quota += units;
	organization.untold.push({ units });
}

/** Closed is for good. */
export function become(
	organization: Organization | undefined,
	state: Organization["state"],
): void {
	if (organization === undefined || organization.state === "closed") return;
	organization.state = state;
	organization.untold.push({ state });
}

/** Campaigns are told of all that happened to an organization since. */
export async function hearOf(
	{ database: { sql } }: World,
	organization: Organization,
): Promise<void> {
	const { id, untold, used } = organization;
	for (const change of untold.splice(0)) {
		const units = "units" in change ? change.units : 0;
		const event = accountChange(
			id,
			"state" in change
				? { case: "organizationChanged", value: { state: change.state } }
				: { case: "quotaGranted", value: { units: BigInt(units) } },
		);
		await transaction(sql, (sql) =>
			applyAccountChanges(sql, [event], SHARE_PERCENT),
		);
		const starved = await sql`
			select from campaigns where organization_id = ${id} and starved
		`;
		if (starved.count === 0 || units === 0) continue;
		organization.sharing ??= {
			granted: 0,
			usedBefore: used,
			isExact: true,
		};
		organization.sharing.granted += Math.floor((units * SHARE_PERCENT) / 100);
	}
}

/** In any order, some twice, in batches of several campaigns. */
export async function tell(
	world: World,
	messages: readonly Message[],
): Promise<void> {
	const given = messages
		.flatMap((one) => (world.random() < 0.2 ? [one, one] : [one]))
		.map((one) => ({ one, at: world.random() }))
		.sort((one, other) => one.at - other.at);
	const events = given.map(({ one: { campaign, phone, messageId, end } }) => {
		const { id, organization } = campaign;
		const owner = { id, organizationId: organization.id };
		return outcome(owner, phone, messageId, end);
	});
	for (const one of messages) one.isTold = true;
	for (let first = 0; first < events.length; first += 7)
		await transaction(world.database.sql, (sql) =>
			applyMessageOutcomes(sql, events.slice(first, first + 7)),
		);
}
