import { getPriority } from "node:os";
import { adminUrl } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import {
	DELIVERY_SESSIONS,
	keepSessionsGivingWay,
} from "./sessions-giving-way.ts";

/** Opens a session under a name; answers the process that serves it. */
async function openSession(name: string): Promise<number> {
	const sql = postgres(adminUrl(), {
		max: 1,
		connection: { application_name: name },
	});
	onTestFinished(() => sql.end());
	const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
	return row?.pid ?? 0;
}

test("sessions of those who give way do so, also later ones, and no others", async () => {
	const usual = getPriority();
	const early = await openSession(DELIVERY_SESSIONS);
	const asked = await openSession("messaging");
	const keeper = keepSessionsGivingWay(adminUrl());
	onTestFinished(() => keeper.stop(1_000));
	await eventually(() => expect(getPriority(early)).toBe(5));
	const late = await openSession("campaigns-bus");
	await eventually(() => expect(getPriority(late)).toBe(5));
	expect(getPriority(asked)).toBe(usual);
});
