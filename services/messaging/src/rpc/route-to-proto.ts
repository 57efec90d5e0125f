import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouteWork } from "../store/dispatch/dispatch-counts.ts";
import type { RouteConnectionsRow } from "../store/route-connections.ts";

export function workToProto(work: RouteWork | undefined) {
	if (work === undefined) return {};
	const { queued, submitting, unknown, oldestDueAt } = work;
	return {
		queued: BigInt(queued),
		submitting: BigInt(submitting),
		unknown: BigInt(unknown),
		...(oldestDueAt && { oldestDueAt: timestampFromDate(oldestDueAt) }),
	};
}

export function connectionsToProto(row: RouteConnectionsRow | undefined) {
	if (row === undefined) return {};
	const { connections, connectionsWanted, pausedUntil, nextTryAt } = row;
	return {
		connections,
		connectionsWanted,
		...(pausedUntil && { pausedUntil: timestampFromDate(pausedUntil) }),
		...(nextTryAt && { nextTryAt: timestampFromDate(nextTryAt) }),
		lastError: row.lastError ?? "",
	};
}
