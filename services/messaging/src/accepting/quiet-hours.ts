import type { Queryable } from "@airtower/platform/database/database";
import { BULK } from "../domain/lanes.ts";
import { findZones } from "../domain/quiet-hours/number-zones.ts";
import { firstAllowed } from "../domain/quiet-hours/quiet-hours.ts";
import { findQuietHours } from "../store/quiet-hours.ts";
import type { CheckedMessage } from "./check-messages.ts";

/**
 * Gives bulk messages that would go in the quiet hours of their organizations the time at which these end for the
 * recipient, by one query. Others keep theirs.
 */
export async function keepQuietHours(
	sql: Queryable,
	messages: readonly CheckedMessage[],
	now: Date,
): Promise<readonly CheckedMessage[]> {
	const bulk = messages.filter(({ lane }) => lane === BULK);
	const organizations = bulk.map(({ item }) => item.organizationId);
	const hoursOf = await findQuietHours(sql, [...new Set(organizations)]);
	if (hoursOf.size === 0) return messages;
	const known = new Map<string, Date>();
	return messages.map((message) => {
		const { item, lane, recipient, sendAt } = message;
		const hours = hoursOf.get(item.organizationId);
		if (lane !== BULK || hours === undefined) return message;
		const zones = findZones(recipient, item.message.defaultCountry);
		const time = sendAt ?? now;
		const key = [item.organizationId, time.getTime(), ...zones].join(" ");
		const allowed = known.get(key) ?? firstAllowed(time, hours, zones);
		known.set(key, allowed);
		return allowed > time ? { ...message, sendAt: allowed } : message;
	});
}
