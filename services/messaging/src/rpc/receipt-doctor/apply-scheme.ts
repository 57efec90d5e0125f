import { setTimeout as delay } from "node:timers/promises";
import { recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import {
	type IdScheme,
	receiptKeys,
} from "../../domain/operator-message-id.ts";
import { storeKey } from "../../domain/receipts/diagnosis.ts";
import { readParked } from "../../domain/receipts/parked-receipt.ts";
import { parkedMatchLimits } from "../../receipts/receive-receipts.ts";
import { KNOWN_AFTER_S } from "../../routes/routes.ts";
import {
	lockReceiptsAfter,
	replayReceipts,
} from "../../store/receipts/parked-receipts.ts";
import {
	lockWaitingParts,
	type PartPlace,
	rekeyParts,
} from "../../store/receipts/waiting-parts.ts";
import { findLatestChange } from "../../store/routes/routes.ts";
import { changeRouteSettings } from "../routes/change-route-settings.ts";
import { requireRing } from "../routes/stored-route.ts";
import { type Account, codesOf } from "./accounts.ts";
import { writeCursor } from "./apply-cursor.ts";
import {
	type ApplyStep,
	cursorAfter,
	recordStep,
	STEP,
	type StepResult,
} from "./apply-step.ts";

/**
 * Sets the form of ids: first at the account's routes, then of the parts that wait, then of the parked receipts, which
 * are looked at again. In this order, and with a wait, because processes know of the setting 2 s later: until then they
 * store parts and receipts in the old form.
 */
export function applyScheme(
	step: ApplyStep,
	account: Account,
	scheme: IdScheme,
): Promise<StepResult> {
	const { cursor } = step;
	switch (cursor.at) {
		case "begin":
			return setRoutes(step, account);
		case "parts":
			return rekey(step, account, scheme, cursor.after);
		case "receipts":
			return replay(step, account, scheme, cursor.after);
	}
}

async function setRoutes(
	{ ctx, context, proposal }: ApplyStep,
	account: Account,
): Promise<StepResult> {
	const routesChanged: string[] = [];
	recordNothing(context);
	if (account.routes.length > 0) {
		const ring = requireRing(ctx);
		const [, ids = ""] = proposal.split("=");
		await transaction(ctx.sql, async (sql) => {
			for (const { code, settings } of account.routes) {
				if (settings.kind !== "smpp") continue;
				const change = { sql, ring, context };
				if (await changeRouteSettings(change, code, { ids }))
					routesChanged.push(code);
			}
		});
	}
	return {
		routesChanged,
		cursor: writeCursor({ at: "parts", after: undefined }),
	};
}

async function rekey(
	step: ApplyStep,
	account: Account,
	scheme: IdScheme,
	after: PartPlace | undefined,
): Promise<StepResult> {
	const { ctx, context } = step;
	if (after === undefined) {
		const age = await findLatestChange(ctx.sql, codesOf(account));
		const waitS = Math.min(KNOWN_AFTER_S, KNOWN_AFTER_S - age);
		if (waitS > 0)
			await delay(waitS * 1_000, undefined, { signal: context.signal });
	}
	const from = after ?? {
		messageId: parkedMatchLimits(ctx).firstId,
		number: 0,
	};
	const { last, rekeyed } = await transaction(ctx.sql, async (sql) => {
		const { waiting, last } = await lockWaitingParts(
			sql,
			account.account,
			from,
			STEP.parts,
		);
		const stale = waiting
			.map((part) => ({ ...part, wanted: storeKey(part, scheme) }))
			.filter(({ operatorKey, wanted }) => operatorKey !== wanted)
			.map((part) => ({ ...part, operatorKey: part.wanted }));
		const rekeyed = await rekeyParts(sql, stale);
		await recordStep(sql, step, account, { parts: rekeyed });
		return { last, rekeyed };
	});
	const next = last
		? ({ at: "parts", after: last } as const)
		: ({ at: "receipts", after: 0 } as const);
	return { partsRekeyed: BigInt(rekeyed), cursor: writeCursor(next) };
}

async function replay(
	step: ApplyStep,
	account: Account,
	scheme: IdScheme,
	after: number,
): Promise<StepResult> {
	const { batch, replayed } = await transaction(step.ctx.sql, async (sql) => {
		const batch = await lockReceiptsAfter(
			sql,
			account.account,
			after,
			STEP.receipts,
		);
		const rekeyed = batch.receipts.map((receipt) => ({
			id: receipt.id,
			account: account.account,
			matchKeys: receiptKeys(readParked(receipt), scheme),
		}));
		const replayed = await replayReceipts(sql, rekeyed);
		await recordStep(sql, step, account, { receipts: replayed });
		return { batch, replayed };
	});
	return { receiptsReplayed: BigInt(replayed), cursor: cursorAfter(batch) };
}
