import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { conflict } from "@airtower/platform/runtime/domain-error";
import type { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import {
	findInboundNumber,
	insertInboundNumber,
} from "../../store/inbound/inbound-numbers.ts";
import {
	findSetLists,
	lockOptOutWords,
} from "../../store/opt-outs/opt-out-words.ts";
import type { Handler } from "../handler.ts";
import { assertNoOptOutWord, readInboundNumber } from "./inbound-number.ts";
import { numberToFacts, numberToProto } from "./inbound-to-proto.ts";

export const addInboundNumber: Handler<
	typeof InboundAdminService.method.addInboundNumber
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const { number, keyword } = readInboundNumber(request);
	const organizationId = request.organizationId.toLowerCase();
	return transaction(ctx.sql, async (sql) => {
		if (keyword !== null) {
			await lockOptOutWords(sql);
			assertNoOptOutWord(request.keyword, await findSetLists(sql));
		}
		const wanted = { number, keyword, organizationId };
		const added = await insertInboundNumber(sql, wanted);
		if (added !== undefined) {
			const after = numberToFacts(added);
			await recordAct(sql, context, { organizationId, subject: number, after });
			return { number: numberToProto(added) };
		}
		const present = await findInboundNumber(sql, number, keyword);
		if (present?.organizationId !== organizationId) throw taken();
		recordNothing(context);
		return { number: numberToProto(present) };
	});
};

function taken() {
	return conflict(
		"inbound_number_taken",
		"Another organization receives these texts; remove the number or keyword from it first, or choose another keyword.",
	);
}
