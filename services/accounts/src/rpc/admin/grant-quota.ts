import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import type {
	AccountsAdminService,
	GrantQuotaRequest,
} from "@airtower/proto/accounts/v1/admin";
import { isPlain } from "@airtower/proto/rules/plain-text";
import type { HandlerContext } from "@connectrpc/connect";
import { changeBalance, type Grant } from "../../change-balance.ts";
import { notPlainText, unknownOrganization } from "../../errors.ts";
import { lockBalances, MAX_BALANCE } from "../../store/balances.ts";
import { findGrant, type GrantRow } from "../../store/ledger-entries.ts";
import type { Handler } from "../handler.ts";

/**
 * Changes a balance once per grant id; a repeated call returns the balance after the first.
 * Throws not_found unknown_organization, conflict balance_would_be_negative, grant_id_reused.
 */
export const grantQuota: Handler<
	typeof AccountsAdminService.method.grantQuota
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const grant = readGrant(request);
	const balance = await transaction(ctx.sql, (sql) =>
		grantOnce(sql, context, grant),
	);
	ctx.wakeRelay();
	return { balance: BigInt(balance) };
};

async function grantOnce(
	sql: Tx,
	context: HandlerContext,
	grant: Grant,
): Promise<number> {
	const { organizationId, grantId, units, note } = grant;
	const [locked] = await lockBalances(sql, [organizationId]);
	if (locked === undefined) throw unknownOrganization();
	const earlier = await findGrant(sql, organizationId, grantId);
	if (earlier !== undefined) {
		recordNothing(context);
		return repeat(earlier, grant);
	}
	const balance = await changeBalance(sql, locked.balance, grant);
	await recordAct(sql, context, {
		organizationId,
		subject: grantId,
		before: { balance: locked.balance },
		after: { balance, units, note },
	});
	return balance;
}

function readGrant(request: GrantQuotaRequest): Grant {
	const { units, note } = request;
	if (units > BigInt(MAX_BALANCE) || units < -BigInt(MAX_BALANCE))
		throw invalid(
			"validation_failed",
			"units",
			`Field units: must be at most ${MAX_BALANCE}.`,
		);
	if (!isPlain(note)) throw notPlainText("note");
	return {
		organizationId: request.organizationId.toLowerCase(),
		grantId: request.grantId.toLowerCase(),
		units: Number(units),
		note: note === "" ? null : note,
	};
}

function repeat(earlier: GrantRow, grant: Grant): number {
	if (earlier.units === grant.units) return earlier.balanceAfter;
	throw conflict(
		"grant_id_reused",
		"This grant id was used for another number of units; use a new one.",
	);
}
