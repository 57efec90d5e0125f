import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientsOf, refusalOf } from "./support/clients.ts";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;

beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.close());

test("GetRouteTraffic shows a route's outstanding receipts and its countries, and no other route's", async () => {
	await service.sql`
		insert into route_minutes
		select now() - ago * interval '1 minute', route, 100, 90, 1, 0
		from generate_series(0, 29) as ago, (values ('scripted'), ('other')) as given (route)
	`;
	await service.sql`
		insert into route_prefix_hours
		select date_trunc('hour', now(), 'UTC') - ago * interval '1 hour', route, prefix, 100, 90, 1
		from unnest(array[0, 2, 3, 4, 5, 6, 7, 8, 9]) as ago, (values ('scripted', '+33'), ('scripted', '+1'), ('other', '+44')) as given (route, prefix)
	`;
	const traffic = await service.admin.getRouteTraffic({ code: "scripted" });
	expect(traffic).toMatchObject({
		receipts: "coming",
		outstanding: [
			{ age: "0-5m" },
			{ age: "5m-1h" },
			{ age: "1h-6h", messages: 0n },
			{ age: "6h-48h", messages: 0n },
		],
		prefixes: ["+1", "+33"].map((prefix) => ({
			prefix,
			hour: { submitted: 100n, delivered: 90n, failed: 1n },
			week: { submitted: 800n, delivered: 720n, failed: 8n },
		})),
	});
	const outstanding = traffic.outstanding.map(({ messages }) => messages);
	expect(outstanding.reduce((sum, one) => sum + one)).toBe(30n * 9n);
});

test("GetRouteTraffic knows routes that are set up, and serves admins of every organization alone", async () => {
	const { port } = service.running;
	const other = clientsOf(port, { organization: uuidv7() });
	const plain = clientsOf(port, { issuer: "gateway" });
	const code = "scripted";
	expect(
		await Promise.all(
			[
				service.admin.getRouteTraffic({ code: "unheard" }),
				service.admin.getRouteTraffic({ code: "" }),
				other.admin.getRouteTraffic({ code }),
				plain.admin.getRouteTraffic({ code }),
			].map(refusalOf),
		),
	).toEqual([
		"unknown_route",
		"validation_failed",
		"organization_mismatch",
		"PermissionDenied",
	]);
});
