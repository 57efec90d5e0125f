import type { IdempotencyKey } from "@airtower/platform/database/idempotency";
import type { Idempotency } from "@airtower/proto/common/v1/idempotency";

export function toIdempotencyKey(
	organizationId: string,
	idempotency: Idempotency | undefined,
): IdempotencyKey | undefined {
	if (idempotency === undefined) return undefined;
	const { key, fingerprint } = idempotency;
	return { organizationId, key, fingerprint };
}
