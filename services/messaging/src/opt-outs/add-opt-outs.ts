import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { publishEvents } from "../publish-events.ts";
import {
	insertOptOuts,
	type OptOutRow,
	type OptOutSource,
} from "../store/opt-outs/opt-outs.ts";

/** Lists numbers, with an event for each that was not listed already; returns those. */
export async function addOptOuts(
	sql: Tx,
	organizationId: string,
	source: OptOutSource,
	optOuts: readonly Pick<OptOutRow, "recipient" | "sender">[],
): Promise<OptOutRow[]> {
	const rows = optOuts.map((optOut) => ({ ...optOut, id: uuidv7() }));
	const added = await insertOptOuts(sql, organizationId, source, rows);
	await publishEvents(
		sql,
		added.map(({ recipient, sender, createdAt }) => {
			const occurredAt = timestampFromDate(createdAt);
			const value = { recipient, sender, source, occurredAt };
			return {
				eventKey: recipient,
				organizationId,
				occurredAt,
				kind: { case: "optedOut" as const, value },
			};
		}),
	);
	return added;
}
