import type { QuietHours } from "@airtower/proto/messaging/v1/quiet_hours";
import { toClockTime } from "@airtower/proto/rules/clock-time";

export function toQuietHours({ startMinute, endMinute }: QuietHours) {
	return { start: toClockTime(startMinute), end: toClockTime(endMinute) };
}
