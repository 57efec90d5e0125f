import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(sharedSystem);

interface Listed {
	readonly service: string;
	readonly action: string;
	readonly organization_id: string;
	readonly actor: string;
	readonly created_at: string;
}

test("what admins did in every service is listed, newest first, also of one organization", async () => {
	const { json, newOrganization, requestSender } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Acme");
	await json("senders", "approve", name, "Acme");
	await json("organizations", "state", name, "active");
	const listed = await json<Listed[]>("audit", "list", "--organization", name);
	const acts = listed.map(({ service, action }) => `${service} ${action}`);
	expect(acts).toEqual([
		"accounts set_organization_state",
		"messaging decide_sender_id",
		"messaging request_sender_id",
		"accounts grant_quota",
		"accounts create_organization",
	]);
	expect(new Set(listed.map((entry) => entry.organization_id))).toEqual(
		new Set([id]),
	);
	const times = listed.map(({ created_at }) => created_at);
	expect(times).toEqual(times.toSorted().reverse());
	const two = ["audit", "list", "--organization", id, "--limit", "2"];
	expect(await json(...two)).toEqual(listed.slice(0, 2));
});

test("a service that cannot be read is named, and the others are listed all the same", async () => {
	const { name } = await use.newOrganization();
	const outcome = await use.adminWith(
		{ AIRTOWER_CAMPAIGNS_RPC_URL: "" },
		...["audit", "list", "--organization", name],
	);
	expect(outcome.exitCode).toBe(1);
	expect(outcome.stdout).toContain("create_organization");
	expect(outcome.stdout).toContain("Not read: campaigns: ");
});

test("messages that nobody paid for are listed, settled from the balance and waived", async () => {
	const { json, newOrganization, sql } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	const insert = () => sql`
		insert into accounts.undebited_messages (message_id, organization_id, reason)
		values (${randomUUID()}, ${id}, 'never_debited')
	`;
	await insert();
	await insert();
	const undebited = { organization_id: id, reason: "never_debited" };
	expect(await listUndebited(id)).toMatchObject([undebited, undebited]);
	expect(await json("ledger", "settle", name)).toMatchObject({
		messages: 2,
		balance: 8,
	});
	await insert();
	expect(await json("ledger", "waive", name)).toMatchObject({
		messages: 1,
		balance: 8,
	});
	expect(await listUndebited(id)).toEqual([]);
});

async function listUndebited(id: string) {
	const listed = await use.json<Listed[]>("ledger", "undebited");
	return listed.filter((message) => message.organization_id === id);
}
