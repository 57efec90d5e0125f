import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

/** A field that a service must not leave out. */
export function required<T>(field: T | undefined): T {
	if (field === undefined) throw new Error("the response lacks a field");
	return field;
}

/** RFC 3339, UTC, milliseconds. Throws when the service left the time out. */
export function requiredTime(time: Timestamp | undefined): string {
	return timestampDate(required(time)).toISOString();
}

/** As {@link requiredTime}, null for a time that was left out. */
export function optionalTime(time: Timestamp | undefined): string | null {
	return time === undefined ? null : requiredTime(time);
}
