import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { ReceiptDoctorService } from "@airtower/proto/messaging/v1/receipt_doctor";
import { ID_SCHEMES } from "../../domain/operator-message-id.ts";
import { readOffset } from "../../domain/receipts/match-by-time.ts";
import { findNewestReceipts } from "../../store/receipts/parked-receipts.ts";
import type { Handler } from "../handler.ts";
import { findAccount, toAccount, unknownAccount } from "./accounts.ts";
import { readCursor } from "./apply-cursor.ts";
import { applyScheme } from "./apply-scheme.ts";
import { MOST_COUNTED } from "./list-parked-receipts.ts";
import { matchByClock } from "./match-by-clock.ts";
import { moveReceipts } from "./move-receipts.ts";

export const applyDiagnosis: Handler<
	typeof ReceiptDoctorService.method.applyDiagnosis
> = async (ctx, { account: name, proposal, cursor }, context) => {
	assertOrganization(context, "*");
	const own = findAccount(ctx, name);
	const [option, value = ""] = proposal.split(/=(.*)/s);
	const scheme = ID_SCHEMES.get(value);
	const step = { ctx, context, proposal, cursor: readCursor(cursor) };
	if (step.cursor.at === "begin" && own.routes.length === 0) {
		const { account } = own;
		const [parked] = await findNewestReceipts(
			ctx.sql,
			account,
			1,
			MOST_COUNTED,
		);
		if (parked === undefined) throw unknownAccount();
	}
	if (option === "ids" && scheme !== undefined && own.mayChange)
		return applyScheme(step, own, scheme);
	const other = toAccount(ctx, value);
	if (option === "account" && value !== "" && value !== own.account)
		return moveReceipts(step, own, other);
	const offset = readOffset(value);
	if (option === "clock" && offset !== undefined)
		return matchByClock(step, own, offset);
	throw invalid(
		"unknown_proposal",
		"proposal",
		"The proposal must be one that DiagnoseReceipts returns for this account, like ids=hex-dec, account=acme or clock=+02:00.",
	);
};
