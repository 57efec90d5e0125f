import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith } from "./support/organizations.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

function named(name: string) {
	return { name, email: "owner@example.com" };
}

test("an organization is found by id and by name", async () => {
	const created = await service.admin.createOrganization(named("Findable"));
	const organizationId = created.organization?.id ?? "";
	expect(await service.admin.getOrganization({ organizationId })).toEqual(
		await service.admin.getOrganization({ name: "Findable" }),
	);
});

test.each([
	{ organizationId: randomUUID() },
	{ organizationId: "nonsense" },
	{ name: "Nobody" },
	{ name: "\u0000" },
])("%j is not found", async (request) => {
	await expect(service.admin.getOrganization(request)).rejects.toMatchObject({
		code: Code.NotFound,
	});
});

test.each([{}, { organizationId: randomUUID(), name: "Both" }])(
	"%j is invalid",
	async (request) => {
		await expect(service.admin.getOrganization(request)).rejects.toMatchObject({
			code: Code.InvalidArgument,
		});
	},
);

test("another organization is neither read by id nor told apart by name", async () => {
	await service.admin.createOrganization(named("Private"));
	const organizationId = await organizationWith(service);
	const other = service.adminOf(randomUUID());
	await expect(other.getOrganization({ organizationId })).rejects.toMatchObject(
		{ code: Code.PermissionDenied },
	);
	for (const name of ["Private", "Nobody"])
		await expect(other.getOrganization({ name })).rejects.toMatchObject({
			code: Code.NotFound,
		});
	expect(
		await service.adminOf(organizationId).getOrganization({ organizationId }),
	).toMatchObject({ organization: { id: organizationId } });
});

test("a caller without a valid token is refused", async () => {
	await expect(
		service.strangerAdmin.getOrganization({ name: "Findable" }),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
});
