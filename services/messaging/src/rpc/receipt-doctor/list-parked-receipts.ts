import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ParkedReceiptSchema,
	ReceiptDoctorService,
} from "@airtower/proto/messaging/v1/receipt_doctor";
import { maskRecipient } from "@airtower/proto/rules/mask-recipient";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	countParkedReceipts,
	findNewestReceipts,
	type ParkedSample,
} from "../../store/receipts/parked-receipts.ts";
import type { Handler } from "../handler.ts";
import { codesOf, toAccount } from "./accounts.ts";

/** Receipts that are counted, the newest. */
export const MOST_COUNTED = 200_000;
const SAMPLES = 3;
const NUMBER = /^\d{5,}$/;

export const listParkedReceipts: Handler<
	typeof ReceiptDoctorService.method.listParkedReceipts
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	const { sql } = ctx;
	const counts = await countParkedReceipts(sql, MOST_COUNTED);
	const accounts = [];
	for (const count of counts) {
		const { account } = count;
		const samples = await findNewestReceipts(
			sql,
			account,
			SAMPLES,
			MOST_COUNTED,
		);
		accounts.push({
			account,
			routes: codesOf(toAccount(ctx, account)),
			receipts: BigInt(count.receipts),
			ambiguous: BigInt(count.ambiguous),
			oldestAt: timestampFromDate(count.oldestAt),
			newestAt: timestampFromDate(count.newestAt),
			samples: samples.map(sampleToProto),
		});
	}
	const total = counts.reduce((sum, { receipts }) => sum + receipts, 0);
	return { accounts, isPartial: total === MOST_COUNTED };
};

function sampleToProto(
	sample: ParkedSample,
): MessageInitShape<typeof ParkedReceiptSchema> {
	const { operatorMessageId, state, operatorError, addresses } = sample;
	return {
		operatorMessageId,
		state,
		operatorError,
		numbers: addresses
			.filter((address) => NUMBER.test(address))
			.map((number) => maskRecipient(`+${number}`)),
		receivedAt: timestampFromDate(sample.receivedAt),
	};
}
