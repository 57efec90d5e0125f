import { randomUUID } from "node:crypto";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

function named(name: string) {
	return { name, email: "owner@example.com" };
}

test("a new organization is on trial, on the default plan, with nothing", async () => {
	const { organization } = await service.admin.createOrganization({
		...named("  Acme  "),
		defaultCountry: "FR",
	});
	expect(organization).toMatchObject({
		name: "Acme",
		email: "owner@example.com",
		state: "trial",
		plan: "default",
		defaultCountry: "FR",
		balance: 0n,
	});
});

test("of many that take one name at once, one succeeds", async () => {
	const responses = await Promise.allSettled(
		Array.from({ length: 5 }, () =>
			service.admin.createOrganization(named("Contested")),
		),
	);
	const refusals = responses.filter(
		(response) => response.status === "rejected",
	);
	expect(refusals.map(({ reason }) => domainErrorFrom(reason)?.reason)).toEqual(
		Array.from({ length: 4 }, () => "organization_exists"),
	);
});

test.each([
	["an empty name", { name: "" }],
	["a blank name", { name: "   " }],
	["a name with a NUL", { name: "a\u0000" }],
	["a name that is too long", { name: "x".repeat(201) }],
	["an address that is none", { email: "owner" }],
	["a country in small letters", { defaultCountry: "fr" }],
	["a country that is none", { defaultCountry: "XX" }],
	["an unknown plan", { plan: "gold" }],
	["a plan with a NUL", { plan: "\u0000" }],
])("%s is invalid", async (_, wrong) => {
	await expect(
		service.admin.createOrganization({ ...named(randomUUID()), ...wrong }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("only an admin of every organization may create one", async () => {
	const request = named(randomUUID());
	await expect(
		service.strangerAdmin.createOrganization(request),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	for (const client of [service.serviceAdmin, service.adminOf(randomUUID())])
		await expect(client.createOrganization(request)).rejects.toMatchObject({
			code: Code.PermissionDenied,
		});
});
