import { responseLost } from "@airtower/platform/testing/troubled-sql";
import { endLease } from "@airtower/platform/work/lease";
import { takeOver } from "../../../src/dispatching/take-over.ts";
import { expireMessages } from "../../../src/jobs/expire-messages.ts";
import { rescueDispatch } from "../../../src/jobs/rescue-dispatch.ts";
import { applyCallbacks, erase } from "./callback-steps.ts";
import type { Process, World } from "./world.ts";

/** What processes do beside each other, sometimes with an erasure. */
export async function together(world: World, process: Process): Promise<void> {
	const others = world.running().filter((one) => one !== process);
	const other = world.pick(others) ?? (await world.startProcess());
	const isErasing = world.random() < 0.5;
	world.hasErasedBeside ||= isErasing;
	await passTime(world);
	await Promise.all([
		applyCallbacks(world, process),
		applyCallbacks(world, other),
		process.ctx.dispatcher.round(),
		other.ctx.dispatcher.round(),
		isErasing && erase(world),
		expireMessages(other.ctx),
		respond(world),
	]);
}

export function respond(world: World, share = 0.7): void {
	for (const { pending, state } of world.processes)
		for (const respond of state === "gone" ? [] : [...pending])
			if (world.random() < share) respond();
}

/** The response to these statements of a process is lost, once for each. */
export async function dispatchThrough(
	world: World,
	{ ctx, fates }: Process,
	statements: readonly string[],
): Promise<void> {
	for (const words of statements)
		fates.set(words, (run) => {
			fates.delete(words);
			return responseLost(run);
		});
	await ctx.dispatcher.round().catch(() => {});
	await world.quiet();
	fates.clear();
}

/** The time comes for which messages, numbers and callbacks wait, but no validity ends. */
export async function passTime({ database: { sql } }: World): Promise<void> {
	await sql`
		update dispatch
		set due_at = now()
		where token is null
		and due_at < now() + interval '12 hours'
	`;
	await sql`update pacing set paused_until = '-infinity'`;
	await sql`update callbacks set due_at = now() where state = 'stored'`;
}

export async function failOverdue(
	{ database: { sql }, overdue }: World,
	{ ctx }: Process,
): Promise<void> {
	const unknown = await sql<{ id: string }[]>`
		update messages
		set unknown_until = now()
		where status = 'unknown'
		returning id
	`;
	for (const { id } of unknown) overdue.add(id);
	await expireMessages(ctx);
}

/** Others take over from it. */
export async function loseProcess(
	world: World,
	process: Process,
	state: "frozen" | "gone",
): Promise<void> {
	process.state = state;
	await letLeaseRunOut(process);
	const next = await world.startProcess();
	await rescueDispatch(next.ctx);
}

export async function letLeaseRunOut({ ctx }: Process): Promise<void> {
	await ctx.sql`
		update leases
		set lease_until = renewed_at
		where token = ${ctx.lease.token()}
	`;
}

export async function stop(world: World, process: Process): Promise<void> {
	const { ctx } = process;
	process.state = "gone";
	await endLease(ctx.sql, ctx.lease, (sql, tokens) =>
		takeOver(ctx, sql, tokens),
	);
	await world.startProcess();
}

export async function wake(world: World): Promise<void> {
	const frozen = world.processes.filter(({ state }) => state === "frozen");
	const process = world.pick(frozen);
	if (process === undefined) return;
	await process.ctx.lease.renew();
	process.state = "runs";
}
