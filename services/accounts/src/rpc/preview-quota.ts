import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { type Decision, decide } from "../domain/reservation-decision.ts";
import { type BalanceRow, findBalances } from "../store/balances.ts";
import type { Handler } from "./handler.ts";
import { decisionToProto } from "./reserve-quota.ts";

/** Decides as a reservation does, on balances that it neither locks nor changes. */
export const previewQuota: Handler<
	typeof AccountsService.method.previewQuota
> = async (ctx, request, context) => {
	const ids = request.organizationIds.map((id) => id.toLowerCase());
	for (const id of ids) assertOrganization(context, id);
	const rows = await findBalances(ctx.sql, [...new Set(ids.filter(isUuid))]);
	const balances = new Map(rows.map((row) => [row.organizationId, row]));
	return {
		results: ids.map((id) => {
			const row = balances.get(id);
			return {
				reservation: decisionToProto(decideNext(row)),
				remaining: BigInt(row?.balance ?? 0),
			};
		}),
	};
};

/** About a message that was never reserved. */
function decideNext(row: BalanceRow | undefined): Decision {
	const { balance = 0, state = null } = row ?? {};
	return decide({
		state,
		earlierBalance: null,
		released: false,
		balanceAfter: balance > 0 ? balance - 1 : null,
	});
}
