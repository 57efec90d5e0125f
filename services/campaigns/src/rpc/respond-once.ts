import type { Db, Tx } from "@airtower/platform/database/database";
import { runIdempotently } from "@airtower/platform/database/idempotency";
import type { Idempotency } from "@airtower/proto/common/v1/idempotency";
import {
	create,
	type DescMessage,
	fromBinary,
	type MessageInitShape,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";

/** Runs `work` once for the request's idempotency key, if it has one; a repeated request gets the stored response. */
export async function respondOnce<S extends DescMessage>(
	sql: Db,
	schema: S,
	{
		organizationId,
		idempotency,
	}: { organizationId: string; idempotency?: Idempotency | undefined },
	work: (sql: Tx) => Promise<MessageInitShape<S>>,
): Promise<MessageShape<S> & { replayed: boolean }> {
	const key = idempotency && { organizationId, ...idempotency };
	const { response, replayed } = await runIdempotently(sql, key, async (sql) =>
		toBinary(schema, create(schema, await work(sql))),
	);
	return { ...fromBinary(schema, response), replayed };
}
