import { eraseAll, tablesWith } from "@airtower/platform/testing/privacy";
import { responseLost } from "@airtower/platform/testing/troubled-sql";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { deleteExpired } from "../../../src/jobs/delete-expired.ts";
import { processCallbacks } from "../../../src/jobs/process-callbacks.ts";
import { insertCallbacks } from "../../../src/store/callbacks.ts";
import { erasableTables } from "../../../src/store/personal-data.ts";
import type { Heard, Line, Process, Submit, World } from "./world.ts";

const ENDS = ["delivered", "read", "failed"] as const;
/** Of what is told of the wrong message; no other error has its reason. */
const WRONG_ERROR = 130_472;

interface Change {
	readonly line: Pick<Line, "providerId">;
	readonly value: object;
}

/** Stores one callback that tells all this. */
async function post({ database: { sql } }: World, changes: readonly Change[]) {
	const body = {
		entry: [
			{
				id: "account",
				changes: changes.map(({ line, value }) => ({
					field: "messages",
					value: { metadata: { phone_number_id: line.providerId }, ...value },
				})),
			},
		],
	};
	await insertCallbacks(sql, [Buffer.from(JSON.stringify(body))]);
}

/** A user writes to a number, sometimes in one callback with what is about something unknown. */
export async function write(world: World): Promise<void> {
	const line = world.pick(world.lines);
	if (line === undefined) return;
	const { owner } = line;
	const user = world.userOf(owner?.organizationId);
	const wamid = `wamid.${user}.in.${world.heard.length}`;
	const heard = { wamid, user, line, owner, at: world.now };
	world.heard.push(heard);
	world.erased.delete(user);
	if (owner !== undefined) world.windows.add(`${owner.id} ${user}`);
	await hear(world, heard);
}

async function hear(world: World, { wamid, user, line, at }: Heard) {
	const text = { body: `This is ${user}` };
	const message = { id: wamid, from: user, type: "text", text };
	const messages = [{ ...message, timestamp: String(at) }];
	const changes = [{ line, value: { messages } }];
	const unknown = { line: { providerId: "nobody's" }, value: { messages } };
	await post(world, world.random() < 0.4 ? [...changes, unknown] : changes);
}

/** The provider repeats what a user wrote. */
export async function repeat(world: World): Promise<void> {
	const heard = world.pick(world.heard);
	if (heard !== undefined) await hear(world, heard);
}

function statusOf(world: World, submit: Submit, status: string) {
	const { sent, wamid } = submit;
	const details = `about ${sent.user}`;
	return {
		id: wamid,
		status,
		timestamp: String(world.now),
		recipient_id: sent.user,
		biz_opaque_callback_data: sent.id,
		...(status === "failed" && {
			errors: [{ code: 131_026, error_data: { details } }],
		}),
	};
}

/** Statuses of what the provider has taken, in any order, more than once, with our id or without it. */
export async function tellSome(world: World): Promise<void> {
	for (const submit of world.submits) {
		if (submit.fate !== "taken" || world.random() < 0.5) continue;
		submit.end ??= world.pick(ENDS);
		const words = ["sent", submit.end === "read" ? "delivered" : submit.end];
		const word = world.pick([...words, submit.end]) ?? "";
		const { biz_opaque_callback_data: echo, ...rest } = statusOf(
			world,
			submit,
			word,
		);
		const hasEcho = world.random() < 0.7;
		const statuses = [
			{ ...rest, ...(hasEcho && { biz_opaque_callback_data: echo }) },
		];
		await post(world, [{ line: submit.sent.line, value: { statuses } }]);
	}
}

/** All that the provider knows in the end of what it has taken. */
export async function tellAll(world: World): Promise<void> {
	for (const submit of world.submits) {
		if (submit.fate !== "taken") continue;
		submit.end ??= world.pick(ENDS);
		const statuses = [statusOf(world, submit, submit.end ?? "")];
		await post(world, [{ line: submit.sent.line, value: { statuses } }]);
	}
}

/** A failure that names another number of ours, or another message of the provider's than the one it echoes. */
export async function mistell(world: World): Promise<void> {
	const submit = world.pick(
		world.submits.filter(({ fate }) => fate === "taken"),
	);
	if (submit === undefined) return;
	const { line, id } = submit.sent;
	const failed = {
		...statusOf(world, submit, "failed"),
		errors: [{ code: WRONG_ERROR }],
	};
	const other = world.pick(world.lines.filter((one) => one !== line));
	if (other !== undefined)
		await post(world, [{ line: other, value: { statuses: [failed] } }]);
	const known = await world.database.sql`
		select from messages
		where id = ${id}
		and provider_message_id = ${submit.wamid}
	`;
	if (known.count === 0) return;
	const statuses = [{ ...failed, id: "wamid.foreign" }];
	await post(world, [{ line, value: { statuses } }]);
}

/** All that is due, one by one or many at a time. */
export async function applyCallbacks(
	world: World,
	{ ctx }: Process,
): Promise<void> {
	const most = world.pick([1, 2, 500]);
	if (world.random() < 0.5)
		await ctx.sql`update callbacks set due_at = now() where state = 'stored'`;
	while ((await processCallbacks(ctx, most)) > 0);
}

export async function loseCallbacks(
	_: World,
	{ ctx, fates }: Process,
): Promise<void> {
	fates.set("update callbacks", responseLost);
	await processCallbacks(ctx).catch(() => {});
	fates.clear();
}

/** A day passes for users, once all is read that they wrote. */
export async function closeWindows(
	world: World,
	process: Process,
): Promise<void> {
	await applyCallbacks(world, process);
	await world.database.sql`
		update conversations
		set window_expires_at = now()
		where window_expires_at > now()
	`;
	world.windows.clear();
}

/** Callbacks grow old. */
export async function age(
	{ database: { sql }, violations }: World,
	{ ctx }: Process,
): Promise<void> {
	const isRead = sql`state <> 'stored'`;
	await sql`
		update callbacks
		set received_at = now() - interval '31 days'
		where ${isRead}
	`;
	await deleteExpired(ctx);
	if ((await sql`select from callbacks where ${isRead}`).count > 0)
		violations.push("what users wrote stood for longer than it may");
}

export async function erase(world: World): Promise<void> {
	const user = world.pick(usersOf(world));
	if (user !== undefined) await eraseUser(world, user);
}

export function usersOf({ sent, heard }: World): string[] {
	const all = [...sent.values(), ...heard];
	return [...new Set(all.map(({ user }) => user))];
}

/** What is pending must be erased once more; anything else is gone for good. Returns how much is pending. */
export async function eraseUser(world: World, user: string): Promise<number> {
	const { sql } = world.database;
	await publish(world);
	const phone = `+${user}`;
	const { pending } = await eraseAll(sql, erasableTables, { phone });
	if (pending > 0) return pending;
	world.erased.add(user);
	await expectErased(world, user, ["outbox"]);
	return 0;
}

export async function expectErased(
	world: World,
	user: string,
	allowed: readonly string[],
): Promise<void> {
	const tables = await tablesWith(world.database.sql, user);
	const left = tables.filter((one) => !allowed.includes(one));
	if (left.length > 0)
		world.violations.push(`an erased user stands in ${left.join(", ")}`);
}

/** The relay takes what waits in the outbox. */
export async function publish(world: World): Promise<void> {
	const rows = await world.database.sql<{ topic: string; payload: Buffer }[]>`
		with taken as (
			delete from outbox
			returning position, topic, payload
		)
		select topic, payload
		from taken
		order by position
	`;
	for (const { topic, payload } of rows)
		if (topic === topics.whatsappOutcome)
			world.events.push(fromBinary(MessageOutcomeSchema, payload));
}
