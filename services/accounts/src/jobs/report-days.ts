import { transaction } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { fault } from "@airtower/platform/runtime/fault";
import { LOWEST_ID, uuidv7 } from "@airtower/platform/runtime/ids";
import { DailyReportSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { dueDays } from "../domain/due-days.ts";
import { readDelivery } from "../read-delivery.ts";
import {
	findUnreported,
	insertDailyReport,
	type OrganizationDay,
} from "../store/daily-reports.ts";
import { listOrganizationIds } from "../store/organizations.ts";

const DAY_MS = 86_400_000;
/** Organizations of one statement, which looks for each of them at each day: 20 ms of work. */
const ORGANIZATIONS = 500;

/** Publishes the reports of days that are over, each once; returns how many it found. */
export async function reportDays(
	{ sql, clock, wakeRelay }: Pick<Context, "sql" | "clock" | "wakeRelay">,
	signal?: AbortSignal,
): Promise<number> {
	const days = dueDays(clock());
	let found = 0;
	let last: string | undefined = LOWEST_ID;
	while (last !== undefined && !signal?.aborted) {
		const ids: string[] = await listOrganizationIds(sql, last, ORGANIZATIONS);
		for (const one of await findUnreported(sql, ids, days)) {
			if (signal?.aborted) return found;
			await publishReport(sql, one);
			wakeRelay();
			found++;
		}
		last = ids.at(-1);
	}
	return found;
}

/** The event commits with the row that says that it is there: a crash leaves both or neither. */
function publishReport(
	sql: Context["sql"],
	{ organizationId, day }: OrganizationDay,
): Promise<void> {
	return transaction(sql, async (sql) => {
		if (!(await insertDailyReport(sql, { organizationId, day }))) return;
		const from = new Date(day);
		const to = new Date(from.getTime() + DAY_MS);
		const sums = await readDelivery(sql, organizationId, {
			groupBy: "day",
			channel: undefined,
			from,
			to,
		});
		const message = create(DailyReportSchema, { organizationId, day, sums });
		await appendToOutbox(sql, [
			{
				id: uuidv7(),
				topic: topics.accountsDailyReport,
				type: "daily_report",
				key: organizationId,
				organizationId,
				payload: toBinary(DailyReportSchema, message),
			},
		]);
		fault("accounts.daily_report_before_commit");
	});
}
