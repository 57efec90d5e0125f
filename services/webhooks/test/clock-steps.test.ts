import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, it } from "vitest";
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
