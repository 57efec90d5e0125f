import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "@airtower/platform/database/migration/migrate";
import type { MigrationSet } from "@airtower/platform/database/migration/migration-set";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { testDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { migrations } from "../src/migrations.ts";
import { lockConversation } from "../src/store/conversations.ts";
import { listMessages } from "../src/store/messages.ts";
import { openWindow } from "../src/store/windows.ts";
import {
	addNumber,
	bareContext,
	createHeldProvider,
	type HeldProvider,
	type OwnNumber,
	statusOf,
} from "./support/bare-context.ts";

/** A Mexican mobile by its number before 2019, as WhatsApp names it, and by that of today. */
const FORMER = "+5215512345678";
const TODAY = "+525512345678";

let folder: string;
let ctx: Context;
let own: OwnNumber;
let provider: HeldProvider;
let close: () => Promise<void>;

/** A service whose tables are those of an earlier version. */
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "airtower-migrations-"));
	const database = await testDatabase(await setsUpTo("0004"));
	close = () => database.drop();
	provider = createHeldProvider();
	ctx = await bareContext(database, provider);
	own = await addNumber(ctx);
});
afterEach(async () => {
	await close();
	await rm(folder, { recursive: true });
});

async function setsUpTo(last: string): Promise<MigrationSet[]> {
	return Promise.all(
		migrations.map(async (set) => {
			if (set.name !== "whatsapp") return set;
			const dir = pathToFileURL(`${join(folder, set.name)}/`);
			await mkdir(dir);
			for (const name of await readdir(set.dir))
				if (name.slice(0, last.length) <= last)
					await copyFile(new URL(name, set.dir), new URL(name, dir));
			return { ...set, dir };
		}),
	);
}

/** A user's message an hour ago, under the provider's name for the number. */
async function openConversation(recipient: string, waId: string | null) {
	const { organizationId, phoneNumberId } = own;
	const user = { organizationId, phoneNumberId, recipient, waId, userId: null };
	await ctx.sql.begin(async (sql) => {
		const id = await lockConversation(sql, user);
		if (waId === null) return;
		await openWindow(sql, id, user, new Date(Date.now() - 3_600_000));
	});
}

/** A text that an earlier version accepted. */
async function queueText(recipient: string): Promise<string> {
	const id = uuidv7();
	const { organizationId, phoneNumberId } = own;
	await ctx.sql`
		insert into messages (
			id, organization_id, phone_number_id, direction, type, recipient, status, billing_category
		)
		values (
			${id}, ${organizationId}, ${phoneNumberId}, 'outbound', 'text', ${recipient}, 'accepted', 'service'
		)
	`;
	await ctx.sql`
		insert into dispatch (message_id, phone_number_id, recipient, content, expires_at)
		values (${id}, ${phoneNumberId}, ${recipient}, '{"body": "Hello"}', now() + interval '1 hour')
	`;
	return id;
}

async function numbersOf(table: string): Promise<(string | null)[]> {
	const rows = await ctx.sql<{ recipient: string | null }[]>`
		select recipient from ${ctx.sql(table)} order by recipient
	`;
	return rows.map((row) => row.recipient);
}

it("a text that waits for a number of before is sent to that of today", async () => {
	await openConversation(TODAY, FORMER.slice(1));
	const id = await queueText(FORMER);
	await migrate(ctx.sql, migrations);
	await dispatchMessages(ctx);
	await eventually(() =>
		expect(provider.submitted).toMatchObject([{ messageId: id, to: TODAY }]),
	);
	provider.respond(id);
	await eventually(async () => expect(await statusOf(ctx, id)).toBe("sent"));
});

it("a conversation under either number becomes one, with the window and the names of both", async () => {
	await openConversation(FORMER, FORMER.slice(1));
	await openConversation(TODAY, null);
	await openConversation("+551187654321", "551187654321");
	await openConversation("+33612345678", "33612345678");
	await migrate(ctx.sql, migrations);
	expect(await numbersOf("conversations")).toEqual([
		"+33612345678",
		TODAY,
		"+5511987654321",
	]);
	const [row] = await ctx.sql`
		select wa_id, window_expires_at > now() as open, maybe_open
		from conversations
		where recipient = ${TODAY}
	`;
	expect(row).toEqual({
		wa_id: FORMER.slice(1),
		open: true,
		maybe_open: true,
	});
});

it("messages are listed by the number of today", async () => {
	for (const recipient of [FORMER, "+551187654321", "+551133334444"])
		await queueText(recipient);
	await migrate(ctx.sql, migrations);
	const numbers = [TODAY, "+551133334444", "+5511987654321"];
	expect(await numbersOf("messages")).toEqual(numbers);
	expect(await numbersOf("dispatch")).toEqual(numbers);
});

it("a message that was being submitted is still shown so, and listed by that", async () => {
	const id = await queueText(TODAY);
	await ctx.sql`update messages set status = 'submitting'`;
	await ctx.sql`update dispatch set attempt = 1`;
	const waiting = await queueText(TODAY);
	await migrate(ctx.sql, migrations);
	expect(await statusOf(ctx, id)).toBe("submitting");
	const listed = async (status: string) => {
		const filter = { billingCategory: "", templateName: "", recipient: "" };
		const range = {
			limit: 5,
			after: undefined,
			from: undefined,
			to: undefined,
		};
		const rows = await listMessages(
			ctx.sql,
			own.organizationId,
			{ ...filter, status },
			range,
		);
		return rows.map((row) => row.id);
	};
	expect(await listed("submitting")).toEqual([id]);
	expect(await listed("accepted")).toEqual([waiting]);
});
