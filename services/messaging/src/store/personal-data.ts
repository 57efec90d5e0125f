import {
	type ErasableTable,
	isSubject,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";
import {
	erasableDeadLetters,
	erasableOutbox,
	erasableResponses,
} from "@airtower/platform/privacy/event-tables";
import { unnamedReference } from "@airtower/platform/privacy/unnamed-reference";
import { erasableInbound, erasableParts } from "./inbound/erased-inbound.ts";
import { idRange } from "./messages.ts";
import { erasableReplies } from "./opt-outs/opt-out-replies.ts";
import { erasableOptOutTexts } from "./opt-outs/opt-out-settings.ts";
import { erasableOptOuts } from "./opt-outs/opt-outs.ts";
import { erasableReceipts } from "./receipts/erased-receipts.ts";

/** Ended messages stay with all that is counted; those under way keep their number until they have ended. */
const messages = scannedTable({
	name: "messages",
	page: (sql, subject, after, limit) => {
		const { organizationId } = subject;
		const columns = { phone: "recipient", organization: "organization_id" };
		return sql`
			select
				id,
				${isSubject(sql, subject, columns)} as is_subject,
				finished_at is null as is_pending
			from messages
			where id > ${after}
			${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
			order by id
			limit ${limit}
		`;
	},
	erase: async (sql, ids) => {
		const { first, last } = idRange(ids);
		await sql`
			update messages
			set
				recipient = '', body = '', operator_error = null, receipt_error = null,
				client_reference = ${unnamedReference(sql)}
			where id = any(${[...ids]}::uuid[])
			and id between ${first} and ${last}
		`;
		await sql`
			update parts
			set operator_error = null
			where message_id = any(${[...ids]}::uuid[])
			and message_id between ${first} and ${last}
			and operator_error is not null
		`;
		await sql`
			delete from unanswered
			where message_id = any(${[...ids]}::uuid[])
		`;
	},
});

export const erasableTables: readonly ErasableTable[] = [
	erasableOutbox,
	erasableResponses,
	messages,
	erasableInbound,
	erasableParts,
	erasableReceipts,
	erasableOptOuts,
	erasableOptOutTexts,
	erasableReplies,
	erasableDeadLetters,
];
