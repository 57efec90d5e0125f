import type { ApiKeySchema } from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ApiKeyRow } from "../store/api-keys.ts";

/** A key past its time is shown as expired whether or not it was marked so. */
export function apiKeyToProto(
	row: ApiKeyRow,
	now: Date,
): MessageInitShape<typeof ApiKeySchema> {
	const { expiresAt, lastUsedAt } = row;
	const isOver = expiresAt !== null && expiresAt <= now;
	return {
		id: row.id,
		name: row.name,
		prefix: row.prefix,
		scopes: row.scopes,
		status: row.state === "active" && isOver ? "expired" : row.state,
		createdAt: timestampFromDate(row.createdAt),
		...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
		...(lastUsedAt && { lastUsedAt: timestampFromDate(lastUsedAt) }),
	};
}
