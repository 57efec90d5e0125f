import { SecretsService } from "@airtower/proto/ops/v1/secrets";
import { recordAct, recordNothing } from "../audit/record-act.ts";
import { type Db, type Tx, transaction } from "../database/database.ts";
import { assertOrganization } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { openSecret, sealSecret } from "../sealing/sealed-secret.ts";
import {
	countSealed,
	lockOldCiphertexts,
	olderKeys,
	type SealedColumn,
	updateCiphertexts,
} from "./sealed-columns.ts";

const BATCH_ROWS = 500;

/**
 * With this an admin brings all that a service has sealed under its newest key, so that older ones can be removed.
 * @param ring undefined for a service without keys, which has sealed nothing
 */
export function secretsRoute(
	sql: Db,
	ring: KeyRing | undefined,
	columns: readonly SealedColumn[],
): RpcRoute {
	return rpcRoute(SecretsService, {
		async resealSecrets({ dryRun }, context) {
			assertOrganization(context, "*");
			recordNothing(context);
			if (ring === undefined) return {};
			const resealed = dryRun
				? 0
				: await resealNext(sql, ring, columns, (sql, after) =>
						recordAct(sql, context, { after }),
					);
			const counts = await Promise.all(
				columns.map((column) => countSealed(sql, ring, column)),
			);
			const total = (field: "left" | "unreadable") =>
				BigInt(counts.reduce((sum, count) => sum + count[field], 0));
			return {
				resealed,
				left: total("left"),
				unreadable: total("unreadable"),
				newestKeyId: ring.current.id,
				olderKeyIds: olderKeys(ring),
			};
		},
	});
}

type RecordBatch = (
	sql: Tx,
	after: { readonly resealed: number },
) => Promise<void>;

/** One batch of the first column that has any. */
async function resealNext(
	sql: Db,
	ring: KeyRing,
	columns: readonly SealedColumn[],
	record: RecordBatch,
): Promise<number> {
	for (const column of columns) {
		const resealed = await resealBatch(sql, ring, column, record);
		if (resealed > 0) return resealed;
	}
	return 0;
}

async function resealBatch(
	sql: Db,
	ring: KeyRing,
	column: SealedColumn,
	record: RecordBatch,
): Promise<number> {
	return transaction(sql, async (sql) => {
		const old = await lockOldCiphertexts(sql, ring, column, BATCH_ROWS);
		const fresh = old.flatMap(({ row, ciphertext, owner }) => {
			const renewed = reseal(ring, ciphertext, column.contexts(owner));
			return renewed === undefined ? [] : [{ row, ciphertext: renewed }];
		});
		await updateCiphertexts(sql, column, fresh);
		if (fresh.length > 0) await record(sql, { resealed: fresh.length });
		return fresh.length;
	});
}

/** Undefined for a ciphertext that does not open: it is left as it is. */
function reseal(
	ring: KeyRing,
	ciphertext: Buffer,
	contexts: readonly string[],
): Buffer | undefined {
	for (const context of contexts) {
		try {
			return sealSecret(ring, openSecret(ring, ciphertext, context), context);
		} catch {}
	}
	return undefined;
}
