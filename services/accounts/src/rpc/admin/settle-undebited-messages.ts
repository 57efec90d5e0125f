import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { HandlerContext } from "@connectrpc/connect";
import { changeBalance } from "../../change-balance.ts";
import { unknownOrganization } from "../../errors.ts";
import { lockBalances } from "../../store/balances.ts";
import { deleteUndebited } from "../../store/undebited-messages.ts";
import type { Handler } from "../handler.ts";

const MOST_SETTLED = 1_000;
const NOTE = "Messages that were not paid for.";

/** One adjustment for all of them, or none when they are waived. */
export const settleUndebitedMessages: Handler<
	typeof AccountsAdminService.method.settleUndebitedMessages
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const how = { organizationId, waived: request.waive };
	return transaction(ctx.sql, (sql) => settle(sql, context, how));
};

async function settle(
	sql: Tx,
	context: HandlerContext,
	{ organizationId, waived }: { organizationId: string; waived: boolean },
) {
	const [locked] = await lockBalances(sql, [organizationId]);
	if (locked === undefined) throw unknownOrganization();
	const was = locked.balance;
	const settled = await deleteUndebited(sql, organizationId, MOST_SETTLED);
	if (settled === 0) {
		recordNothing(context);
		return { settled, balance: BigInt(was) };
	}
	const grant = { organizationId, grantId: uuidv7(), note: NOTE };
	const balance = waived
		? was
		: await changeBalance(sql, was, { ...grant, units: -settled });
	const facts = {
		before: { balance: was },
		after: { balance, settled, waived },
	};
	await recordAct(sql, context, { organizationId, ...facts });
	return { settled, balance: BigInt(balance) };
}
