import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

/** RFC 3339, UTC, milliseconds. Throws when the service left the time out. */
export function requiredTime(time: Timestamp | undefined): string {
	if (time === undefined) throw new Error("the answer lacks a time");
	return timestampDate(time).toISOString();
}

/** As {@link requiredTime}, null for a time that was left out. */
export function optionalTime(time: Timestamp | undefined): string | null {
	return time === undefined ? null : requiredTime(time);
}
