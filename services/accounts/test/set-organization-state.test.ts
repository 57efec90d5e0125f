import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import { organizationWith } from "./support/organizations.ts";
import { changesOf } from "./support/outbox.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});

afterAll(() => service.close());

test("a move is returned, stored and announced", async () => {
	const organizationId = await organizationWith(service);
	const response = await service.admin.setOrganizationState({
		organizationId,
		state: "active",
	});
	expect(response.organization?.state).toBe("active");
	expect(await changesOf(service.ctx.sql, organizationId)).toEqual([
		{
			topic: "accounts.change.v1",
			type: "organization_changed",
			key: organizationId,
			value: { state: "active" },
		},
	]);
});

test("asking twice for one state moves once", async () => {
	const organizationId = await organizationWith(service);
	const request = { organizationId, state: "suspended" };
	await Promise.all([
		service.admin.setOrganizationState(request),
		service.admin.setOrganizationState(request),
	]);
	expect(await changesOf(service.ctx.sql, organizationId)).toHaveLength(1);
});

test("the subscription follows its organization", async () => {
	const organizationId = await organizationWith(service);
	const seen: string[] = [];
	for (const state of ["active", "past_due", "suspended", "active", "closed"]) {
		await service.admin.setOrganizationState({ organizationId, state });
		const [row] = await service.ctx.sql<{ status: string }[]>`
			select status
			from subscriptions
			where organization_id = ${organizationId}
		`;
		seen.push(row?.status ?? "");
	}
	expect(seen).toEqual([
		"active",
		"past_due",
		"past_due",
		"active",
		"canceled",
	]);
});

test("a closed organization stays closed", async () => {
	const organizationId = await organizationWith(service);
	await service.admin.setOrganizationState({
		organizationId,
		state: "closed",
	});
	const reopening = service.admin.setOrganizationState({
		organizationId,
		state: "active",
	});
	await expect(reopening).rejects.toMatchObject({
		code: Code.FailedPrecondition,
	});
});

test("an unknown organization is not found", async () => {
	await expect(
		service.admin.setOrganizationState({
			organizationId: randomUUID(),
			state: "active",
		}),
	).rejects.toMatchObject({ code: Code.NotFound });
});

test("a state that is none is invalid", async () => {
	const organizationId = await organizationWith(service);
	await expect(
		service.admin.setOrganizationState({ organizationId, state: "asleep" }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("only an admin's valid token for this organization may move it", async () => {
	const organizationId = await organizationWith(service);
	const request = { organizationId, state: "suspended" };
	await expect(
		service.strangerAdmin.setOrganizationState(request),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	for (const client of [service.serviceAdmin, service.adminOf(randomUUID())])
		await expect(client.setOrganizationState(request)).rejects.toMatchObject({
			code: Code.PermissionDenied,
		});
	expect(await changesOf(service.ctx.sql, organizationId)).toEqual([]);
});
