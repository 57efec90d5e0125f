import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	AccountService,
	LedgerEntrySchema,
} from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	type LedgerEntryRow,
	listLedgerEntries as listRows,
} from "../store/listed-entries.ts";
import { CHANNEL_OF_GRANTS } from "./channel-of-grants.ts";
import type { Handler } from "./handler.ts";
import { readPage } from "./read-page.ts";

export const listLedgerEntries: Handler<
	typeof AccountService.method.listLedgerEntries
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const page = readPage(request.page);
	const found = await listRows(ctx.sql, request.organizationId, page);
	const { rows, next } = cutPage(found, page.limit);
	return { entries: rows.map(entryToProto), ...(next && { next }) };
};

function entryToProto(
	row: LedgerEntryRow,
): MessageInitShape<typeof LedgerEntrySchema> {
	return {
		id: row.id,
		kind: row.kind,
		channel: row.channel ?? CHANNEL_OF_GRANTS,
		units: BigInt(row.units),
		balanceAfter: BigInt(row.balanceAfter),
		messageId: row.messageId ?? "",
		campaignId: row.campaignId ?? "",
		note: row.note ?? "",
		createdAt: timestampFromDate(row.createdAt),
	};
}
