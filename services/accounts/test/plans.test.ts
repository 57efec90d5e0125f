import { randomUUID } from "node:crypto";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { issue } from "./support/api-keys.ts";
import { organizationWith } from "./support/organizations.ts";
import { changesOf } from "./support/outbox.ts";
import { pageOf, readAll } from "./support/pages.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

async function limitOf(secret: string): Promise<number | undefined> {
	const { results } = await service.accounts.authenticateKeys({
		apiKeys: [secret],
	});
	return results[0]?.key?.rateLimitPerMinute;
}

test("a plan is made once and changed by name", async () => {
	await service.admin.putPlan({ name: "bulk", requestsPerMinute: 10_000 });
	const { plan } = await service.admin.putPlan({
		name: "bulk",
		requestsPerMinute: 20_000,
	});
	expect(plan).toMatchObject({ name: "bulk", requestsPerMinute: 20_000 });
	const { plans } = await service.admin.listPlans({});
	expect(plans.map((each) => [each.name, each.requestsPerMinute])).toEqual([
		["bulk", 20_000],
		["default", 3_000],
	]);
});

test("another plan's limit applies to the organization's keys and is announced once", async () => {
	await service.admin.putPlan({ name: "small", requestsPerMinute: 60 });
	const organizationId = await organizationWith(service);
	const { secret } = await issue(service, organizationId);
	expect(await limitOf(secret)).toBe(3_000);
	for (let time = 0; time < 2; time++) {
		const { organization } = await service.admin.setOrganizationPlan({
			organizationId,
			plan: "small",
		});
		expect(organization).toMatchObject({ id: organizationId, plan: "small" });
	}
	expect(await limitOf(secret)).toBe(60);
	expect(await changesOf(service.ctx.sql, organizationId)).toMatchObject([
		{ type: "organization_changed", value: { state: "trial" } },
	]);
});

test("a plan names a limit of all keys together: four times that of a key unless it says otherwise", async () => {
	const limits = async (organizationRequestsPerMinute: number) => {
		const requestsPerMinute = 50;
		const { plan } = await service.admin.putPlan({
			name: "both",
			requestsPerMinute,
			organizationRequestsPerMinute,
		});
		return plan?.organizationRequestsPerMinute;
	};
	expect(await limits(70)).toBe(70);
	const below = await limits(49).catch(domainErrorFrom);
	expect(below).toMatchObject({ reason: "invalid_value" });
	expect(await limits(0)).toBe(200);
	const organizationId = await organizationWith(service);
	const { secret } = await issue(service, organizationId);
	await service.admin.setOrganizationPlan({ organizationId, plan: "both" });
	const { results } = await service.accounts.authenticateKeys({
		apiKeys: [secret],
	});
	expect(results[0]?.key).toMatchObject({
		rateLimitPerMinute: 50,
		organizationRateLimitPerMinute: 200,
	});
});

test("an unknown plan or organization changes nothing", async () => {
	const organizationId = await organizationWith(service);
	for (const plan of ["none", "\u0000"])
		expect(
			await service.admin
				.setOrganizationPlan({ organizationId, plan })
				.catch(domainErrorFrom),
		).toMatchObject({ reason: "unknown_plan" });
	await expect(
		service.admin.setOrganizationPlan({
			organizationId: randomUUID(),
			plan: "default",
		}),
	).rejects.toMatchObject({ code: Code.NotFound });
	expect(await changesOf(service.ctx.sql, organizationId)).toEqual([]);
});

test.each([
	{ name: "Upper", requestsPerMinute: 1 },
	{ name: "", requestsPerMinute: 1 },
	{ name: "zero", requestsPerMinute: 0 },
	{ name: "vast", requestsPerMinute: 1_000_001 },
])("the plan %j is invalid", async (plan) => {
	await expect(service.admin.putPlan(plan)).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
});

test("organizations are listed newest first, page by page", async () => {
	const made = [];
	for (let nth = 0; nth < 5; nth++)
		made.push(await organizationWith(service, nth));
	const all = await readAll(async (after) => {
		const response = await service.admin.listOrganizations({
			page: pageOf(2, after),
		});
		return { rows: response.organizations, next: response.next };
	});
	expect(all.slice(0, 5).map(({ id }) => id)).toEqual(made.reverse());
	expect(all.slice(0, 5).map(({ balance }) => balance)).toEqual([
		4n,
		3n,
		2n,
		1n,
		0n,
	]);
	expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
	await expect(service.admin.listOrganizations({})).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
});

const calls = [
	[
		"put a plan",
		(client: TestAccounts["admin"]) =>
			client.putPlan({ name: "other", requestsPerMinute: 1 }),
	],
	["list plans", (client: TestAccounts["admin"]) => client.listPlans({})],
	[
		"list organizations",
		(client: TestAccounts["admin"]) =>
			client.listOrganizations({ page: { limit: 1 } }),
	],
	[
		"set a plan",
		(client: TestAccounts["admin"]) =>
			client.setOrganizationPlan({
				organizationId: randomUUID(),
				plan: "default",
			}),
	],
] as const;

test.each(calls)(
	"only an admin's valid token for every organization may %s",
	async (_, call) => {
		await expect(call(service.strangerAdmin)).rejects.toMatchObject({
			code: Code.Unauthenticated,
		});
		for (const client of [service.serviceAdmin, service.adminOf(randomUUID())])
			await expect(call(client)).rejects.toMatchObject({
				code: Code.PermissionDenied,
			});
	},
);
