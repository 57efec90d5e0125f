import type { Tx } from "@airtower/platform/database/database";
import {
	type IdempotencyKey,
	runIdempotently,
} from "@airtower/platform/database/idempotency";
import { openSecret, sealSecret } from "@airtower/platform/sealing/secret-box";
import {
	type DescMessage,
	fromBinary,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";
import type { Context } from "../context.ts";

export interface SealedCall<Response extends DescMessage> {
	readonly schema: Response;
	/** Bound into the stored response, with the organization. */
	readonly name: string;
	readonly organizationId: string;
	readonly key: IdempotencyKey | undefined;
	readonly work: (sql: Tx) => Promise<MessageShape<Response>>;
}

/** Runs `work` once per key. Its response holds a secret and is stored under encryption. */
export async function runSealed<Response extends DescMessage>(
	{ sql, ring }: Pick<Context, "sql" | "ring">,
	call: SealedCall<Response>,
): Promise<{ response: MessageShape<Response>; replayed: boolean }> {
	const { schema } = call;
	const seal = `${call.name} ${call.organizationId}`;
	const { response, replayed } = await runIdempotently(
		sql,
		call.key,
		async (sql) =>
			sealSecret(ring, toBinary(schema, await call.work(sql)), seal),
	);
	const bytes = openSecret(ring, response, seal);
	return { response: fromBinary(schema, bytes), replayed };
}
