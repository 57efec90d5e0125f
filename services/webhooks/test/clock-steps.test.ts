import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, it, vi } from "vitest";
import { followDatabaseClock } from "../src/jobs/follow-clock.ts";
import { startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	openDatabase,
	outcomeEvents,
	takeIn,
} from "./support/stage.ts";

const BACK_MS = -5 * 60_000;

async function withStage(
	work: (database: TestDatabase) => Promise<void>,
): Promise<void> {
	const database = await openDatabase({ hasMovableClock: true });
	await work(database).finally(() => database.drop());
}

it("a callback that was due when the database's clock stepped back 5 minutes is sent at once", () =>
	withStage(async (database) => {
		const receiver = await startReceiver();
		const ctx = await createStageContext(database);
		await followDatabaseClock(ctx);
		const endpoint = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, 3));
		await database.setClock(BACK_MS);
		await followDatabaseClock(ctx);
		await eventually(async () => {
			await deliverAll(ctx);
			expect(receiver.received).toHaveLength(3);
		});
		for (const delivery of await deliveriesTo(ctx, endpoint.id))
			expect(delivery).toMatchObject({ state: "delivered", attempt: 1 });
		await ctx.poster.close();
		await receiver.close();
	}));

it("a callback is dated right, so that receivers take it, also by a process whose own clock stands an hour ahead", () =>
	withStage(async (database) => {
		const receiver = await startReceiver();
		const ctx = await createStageContext(database);
		const endpoint = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(endpoint.organizationId, 1));
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
		await deliverAll(ctx).finally(vi.useRealTimers);
		const [callback] = receiver.received;
		for (const header of ["x-service-timestamp", "webhook-timestamp"]) {
			const timestampMs = Number(callback?.headers[header]) * 1_000;
			expect(Math.abs(timestampMs - Date.now())).toBeLessThan(60_000);
		}
		await ctx.poster.close();
		await receiver.close();
	}));
