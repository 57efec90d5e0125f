import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { organizationWith } from "./support/messaging.ts";
import { createScriptedOperator } from "./support/scripted-operator.ts";
import { callSend, startTestService } from "./support/service.ts";

/** So many that chance gives each of two routes one of them. */
const MANY = 40;

test("a route whose receipts are missing is down, new messages take another, and both once they come", async () => {
	const service = await startTestService({
		overrides: {
			operators: [
				createScriptedOperator("silent", "account-1"),
				createScriptedOperator("other", "account-2"),
			],
		},
	});
	onTestFinished(() => service.close());
	const { sql, admin } = service;
	const organization = await organizationWith(service, 100_000);
	const expectHealth = (health: string, healthReason: string) =>
		eventually(async () => {
			const { routes } = await admin.listRoutes({});
			expect(routes.find(({ code }) => code === "silent")).toMatchObject({
				health,
				healthReason,
			});
		});
	/** Processes read the health of routes within a second. */
	const expectRoutes = (...codes: readonly string[]) =>
		eventually(async () =>
			expect(await routesOfMany()).toEqual(new Set(codes)),
		);
	const routesOfMany = async () => {
		const ids = await Promise.all(
			Array.from({ length: MANY }, () => callSend(service, organization)),
		);
		const rows = await sql<{ route: string }[]>`
			select distinct route
			from messages
			where id = any(${ids}::uuid[])
		`;
		return new Set(rows.map(({ route }) => route));
	};
	await expectHealth("up", "");
	await sql`
		insert into route_minutes (
			minute, route, submitted, delivered, failed, receipt_seconds
		)
		select
			now() - ago * interval '1 minute',
			'silent',
			100,
			case when ago > 20 then 90 else 0 end,
			0,
			180
		from generate_series(2, 600) as ago
	`;
	await expectHealth("down", "no_receipts");
	await expectRoutes("other");
	await sql`
		update route_minutes
		set delivered = 90
		where minute < now() - interval '2 minutes'
	`;
	await expectHealth("up", "");
	await expectRoutes("silent", "other");
});
