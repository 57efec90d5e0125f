import type { Idempotency } from "@airtower/proto/common/v1/idempotency";
import {
	create,
	type DescMessage,
	fromBinary,
	type MessageInitShape,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";
import type { KeyRing } from "../sealing/key-ring.ts";
import { openSecret, sealSecret } from "../sealing/sealed-secret.ts";
import type { Db, Tx } from "./database.ts";
import { runIdempotently } from "./idempotency.ts";
import type { IdempotencyKey } from "./idempotency-records.ts";

interface OnceCall<Response extends DescMessage> {
	readonly schema: Response;
	readonly key: IdempotencyKey | undefined;
	readonly work: (sql: Tx) => Promise<MessageInitShape<Response>>;
	/** For a response that contains a secret: it is stored under encryption, with `context` bound in. */
	readonly seal?: { readonly ring: KeyRing; readonly context: string };
}

/** Runs `work` once for the key, if there is one; a repeated request gets the stored response. */
export async function respondOnce<Response extends DescMessage>(
	sql: Db,
	{ schema, key, work, seal }: OnceCall<Response>,
): Promise<{ response: MessageShape<Response>; replayed: boolean }> {
	const { response: stored, replayed } = await runIdempotently(
		sql,
		key,
		async (sql) => {
			const bytes = toBinary(schema, create(schema, await work(sql)));
			return seal ? sealSecret(seal.ring, bytes, seal.context) : bytes;
		},
	);
	const bytes = seal ? openSecret(seal.ring, stored, seal.context) : stored;
	return { response: fromBinary(schema, bytes), replayed };
}

export function toIdempotencyKey(
	organizationId: string,
	idempotency: Idempotency | undefined,
): IdempotencyKey | undefined {
	if (idempotency === undefined) return undefined;
	const { key, scope, fingerprint } = idempotency;
	return scope === ""
		? { organizationId, key, fingerprint }
		: { organizationId, key: `${scope} ${key}`, bareKey: key, fingerprint };
}
