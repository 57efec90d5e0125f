import {
	type ErasureSchema,
	PrivacyService,
} from "@airtower/proto/ops/v1/privacy";
import { maskRecipient } from "@airtower/proto/rules/mask-recipient";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { recordAct, recordNothing } from "../audit/record-act.ts";
import { type Db, transaction } from "../database/database.ts";
import { assertOrganization, callerOf } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import { uuidv7 } from "../runtime/ids.ts";
import type { ErasableTable } from "./erasable-table.ts";
import { type ErasedRows, eraseFrom } from "./erase.ts";
import { type Erasure, insertErasure, listErasures } from "./erasures.ts";
import { listOwnRetentions, setRetention } from "./retentions.ts";

const MAX_LISTED = 1_000;

/** PrivacyService, with which an admin erases what these tables store, and sets how long texts are kept. */
export function privacyRoute(
	sql: Db,
	tables: readonly ErasableTable[],
): RpcRoute {
	return rpcRoute(PrivacyService, {
		async erase(request, context) {
			assertOrganization(context, request.organizationId || "*");
			const phone = request.phone || undefined;
			const organizationId = request.organizationId || undefined;
			const id = request.erasureId || uuidv7();
			const maskedPhone = phone === undefined ? "" : maskRecipient(phone);
			if (request.erasureId === "")
				await transaction(sql, async (sql) => {
					await insertErasure(sql, {
						id,
						maskedPhone,
						organizationId: organizationId ?? null,
						requestedBy: callerOf(context).name,
					});
					await recordAct(sql, context, {
						...(organizationId !== undefined && { organizationId }),
						subject: id,
						after: { phone: maskedPhone },
					});
				});
			else recordNothing(context);
			const subject = { phone, organizationId };
			const part = await eraseFrom(sql, tables, id, subject, request.cursor);
			const { nextCursor } = part;
			return { erasureId: id, nextCursor, tables: part.tables.map(toProto) };
		},
		async listErasures(_request, context) {
			assertOrganization(context, "*");
			const erasures = await listErasures(sql, MAX_LISTED);
			return { erasures: erasures.map(erasureToProto) };
		},
		async setRetention({ organizationId, bodyDays }, context) {
			assertOrganization(context, organizationId);
			await transaction(sql, async (sql) => {
				const facts = (days: number | null) => ({ body_days: days });
				const before = await setRetention(
					sql,
					organizationId,
					bodyDays ?? null,
				);
				await recordAct(sql, context, {
					organizationId,
					before: facts(before),
					after: facts(bodyDays ?? null),
				});
			});
			return {};
		},
		async listRetentions(_request, context) {
			assertOrganization(context, "*");
			return { retentions: await listOwnRetentions(sql) };
		},
	});
}

function toProto({ table, erased, pending }: ErasedRows) {
	return { table, erased: BigInt(erased), pending: BigInt(pending) };
}

function erasureToProto(
	erasure: Erasure,
): MessageInitShape<typeof ErasureSchema> {
	const { id, maskedPhone, requestedBy, erased, pending } = erasure;
	return {
		id,
		requestedBy,
		phone: maskedPhone,
		organizationId: erasure.organizationId ?? "",
		tables: Object.keys(erased).map((table) =>
			toProto({
				table,
				erased: erased[table] ?? 0,
				pending: pending[table] ?? 0,
			}),
		),
		startedAt: timestampFromDate(erasure.startedAt),
		...(erasure.finishedAt && {
			finishedAt: timestampFromDate(erasure.finishedAt),
		}),
	};
}
