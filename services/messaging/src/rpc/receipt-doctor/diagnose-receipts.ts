import { assertOrganization } from "@airtower/platform/rpc/caller";
import { firstIdAt, timeOfId } from "@airtower/platform/runtime/ids";
import type {
	FindingSchema,
	ReceiptDoctorService,
	TallySchema,
} from "@airtower/proto/messaging/v1/receipt_doctor";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../context.ts";
import { conclude } from "../../domain/receipts/conclusions.ts";
import {
	diagnose,
	type Finding,
	type Tally,
} from "../../domain/receipts/diagnosis.ts";
import type { WaitingPart } from "../../domain/receipts/judge-receipt.ts";
import { readParked } from "../../domain/receipts/parked-receipt.ts";
import { parkedMatchLimits } from "../../receipts/receive-receipts.ts";
import {
	findNewestReceipts,
	type ParkedSample,
} from "../../store/receipts/parked-receipts.ts";
import { findWaitingParts } from "../../store/receipts/waiting-parts.ts";
import type { Handler } from "../handler.ts";
import {
	codesOf,
	findAccount,
	schemeName,
	toAccount,
	unknownAccount,
} from "./accounts.ts";
import { MOST_COUNTED } from "./list-parked-receipts.ts";

const MOST_RECEIPTS = 5_000;
/** Parts that are read, waiting or not, the newest before the newest receipt. */
const MOST_PARTS = 100_000;
/** The clock that makes ids may be ahead of the database's, ms. */
const CLOCK_SLACK_MS = 300_000;

export const diagnoseReceipts: Handler<
	typeof ReceiptDoctorService.method.diagnoseReceipts
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const { sql } = ctx;
	const own = findAccount(ctx, request.account);
	const { account } = own;
	const stored = await findNewestReceipts(
		sql,
		account,
		MOST_RECEIPTS,
		MOST_COUNTED,
	);
	if (stored.length === 0 && own.routes.length === 0) throw unknownAccount();
	const parts = await findParts(ctx, stored);
	const others = [...new Set(parts.map(({ account }) => account))]
		.filter((other) => other !== account)
		.map((other) => toAccount(ctx, other));
	const diagnosis = diagnose(own, others, stored.map(readParked), parts);
	const receipts = stored.length;
	const ids = own.mayChange ? schemeName(own) : "";
	const since = oldestOf(parts);
	return {
		account,
		routes: codesOf(own),
		receipts: BigInt(receipts),
		parts: BigInt(parts.length),
		...(since && { partsSince: timestampFromDate(since) }),
		asStored: tallyToProto(diagnosis.asStored),
		findings: diagnosis.findings.map(findingToProto),
		conclusions: conclude({ ...diagnosis, account, ids, receipts }),
	};
};

/** Those that the receipts may be of. */
async function findParts(
	ctx: Context,
	receipts: readonly ParkedSample[],
): Promise<readonly WaitingPart[]> {
	const [newest] = receipts;
	if (newest === undefined) return [];
	const { firstId: first } = parkedMatchLimits(ctx);
	const until = new Date(newest.receivedAt.getTime() + CLOCK_SLACK_MS);
	const span = { first, before: firstIdAt(until) };
	return (await findWaitingParts(ctx.sql, span, MOST_PARTS)).parts;
}

function oldestOf(parts: readonly WaitingPart[]): Date | undefined {
	const [first] = parts.map(({ messageId }) => messageId).toSorted();
	return first === undefined ? undefined : timeOfId(first);
}

function tallyToProto({
	matched,
	unnumbered,
	ambiguous,
	contradicted,
}: Tally): MessageInitShape<typeof TallySchema> {
	return {
		matched: BigInt(matched),
		matchedWithoutNumber: BigInt(unnumbered),
		ambiguous: BigInt(ambiguous),
		contradicted: BigInt(contradicted),
	};
}

function findingToProto({
	proposal,
	tally,
	isProposed,
}: Finding): MessageInitShape<typeof FindingSchema> {
	return { proposal, tally: tallyToProto(tally), isProposed };
}
