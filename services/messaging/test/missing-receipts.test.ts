import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { startTestService } from "./support/service.ts";

test("a route whose receipts are missing is down, and up again once they come", async () => {
	const service = await startTestService();
	onTestFinished(() => service.close());
	const { sql, admin } = service;
	const expectHealth = (health: string, healthReason: string) =>
		eventually(async () => {
			const { routes } = await admin.listRoutes({});
			expect(routes).toMatchObject([{ health, healthReason }]);
		});
	await expectHealth("up", "");
	await sql`
		insert into route_minutes (
			minute, route, submitted, delivered, failed, receipt_seconds
		)
		select
			now() - ago * interval '1 minute',
			'scripted',
			100,
			case when ago > 20 then 90 else 0 end,
			0,
			180
		from generate_series(2, 600) as ago
	`;
	await expectHealth("down", "no_receipts");
	await sql`
		update route_minutes
		set delivered = 90
	`;
	await expectHealth("up", "");
});
