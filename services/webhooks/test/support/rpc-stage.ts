import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect } from "vitest";
import type { Context } from "../../src/context.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { startTestRpc, type TestRpc } from "./rpc.ts";
import { createStageContext } from "./stage.ts";

/** The service's calls and jobs on an empty queue, with a receiver. */
interface RpcStage {
	readonly ctx: Context;
	readonly rpc: TestRpc;
	readonly receiver: Receiver;
	readonly close: () => Promise<void>;
}

export async function startRpcStage(
	database: TestDatabase,
	options: Parameters<typeof createStageContext>[1] = {},
): Promise<RpcStage> {
	const ctx = await createStageContext(database, options);
	const rpc = await startTestRpc(ctx);
	const receiver = await startReceiver();
	const close = async () => {
		await rpc.close();
		await ctx.poster.close();
		await receiver.close();
	};
	return { ctx, rpc, receiver, close };
}

/** Resolves once the service has no statement and no transaction open. */
export async function untilIdle({ sql, schema }: TestDatabase): Promise<void> {
	await eventually(async () => {
		const busy = await sql`
			select
			from pg_stat_activity
			where application_name = ${schema}
			and state <> 'idle'
			and pid <> pg_backend_pid()
		`;
		expect(busy).toHaveLength(0);
	});
}
