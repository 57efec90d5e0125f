import { readFile } from "node:fs/promises";
import type { Db } from "@airtower/platform/database/database";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import { makeAllDue, messageRow, statusOf } from "./support/rows.ts";

const AFTER_RESTORE = new URL(
	"../../../deploy/k8s/after-restore.sql",
	import.meta.url,
);
const NAMED = {
	numberTails: ["2345678"],
	addresses: ["33612345678", "airtower"],
};

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

/** Does what the script says of this service's tables. */
async function runScript(sql: Db): Promise<void> {
	const script = await readFile(AFTER_RESTORE, "utf8");
	for (const statement of script.split(";"))
		if (statement.includes("messaging."))
			await sql.unsafe(statement.replaceAll("messaging.", ""));
}

test("what waits at the restored moment is not told as delivered by a receipt from before: it goes", async () => {
	const { sql, ctx, operator } = messaging;
	await operator.receipt("of another system", "delivered", NAMED);
	const id = await sendOne(messaging, messageTo(organization));
	await runScript(sql);
	await rescueDispatch(ctx);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("unknown");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits.at(-1)?.messageId).toBe(id);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		possibleDuplicate: true,
	});
});

test("a receipt that comes after the restored moment resolves what was sent since", async () => {
	const { sql, ctx, operator } = messaging;
	await sql`select setval('receipts_id_seq', 1000)`;
	const id = await sendOne(messaging, messageTo(organization));
	await runScript(sql);
	await rescueDispatch(ctx);
	await operator.receipt("77", "delivered", NAMED);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("delivered");
});
