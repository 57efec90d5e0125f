import type { IdempotencyKey } from "@airtower/platform/database/idempotency";
import type { Idempotency } from "@airtower/proto/common/v1/idempotency";

/** The client's key within its organization; undefined when the request has none. */
export function idempotencyKeyOf(
	organizationId: string,
	idempotency: Idempotency | undefined,
): IdempotencyKey | undefined {
	return idempotency === undefined
		? undefined
		: {
				organizationId,
				key: idempotency.key,
				fingerprint: idempotency.fingerprint,
			};
}
