import { readKey } from "@airtower/dev/secrets/identity-keys";
import { createTokenSigner } from "@airtower/platform/identity/caller-token";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { expect, test } from "vitest";
import { apiClient } from "./support/api.ts";
import { adminClients, createOrganization } from "./support/organization.ts";
import { sharedSystem } from "./support/shared-system.ts";

test("an owner sees what admins did to the organization in any service, newest first, page by page", async () => {
	const system = await sharedSystem();
	const admin = adminClients(system);
	const whatsapp = testRpcClient({
		service: WhatsAppAdminService,
		baseUrl: system.addresses.whatsapp.rpcUrl,
		audience: "whatsapp",
		signer: createTokenSigner({
			key: readKey(system.keysDir, "admin"),
			person: "grace",
		}),
	});
	const { id: organizationId, apiKey } = await createOrganization(admin, 10);
	const hold = { organizationId, held: true };
	await whatsapp.setHold(hold);
	await admin.messaging.setHold(hold);
	await admin.accounts.setOrganizationState({
		organizationId,
		state: "active",
	});
	await whatsapp.setHold({ organizationId, held: false });

	const client = apiClient(system.baseUrl, apiKey);
	const read: { id: string; action: string; created_at: string }[] = [];
	let cursor: unknown = "";
	let text = "";
	while (cursor !== null) {
		const page = await client.get(
			`/account/audit?limit=2${cursor && `&cursor=${cursor}`}`,
		);
		expect(page.status).toBe(200);
		read.push(...Object(page.body).entries);
		text += page.text;
		cursor = page.body.nextCursor;
	}
	await client.close();
	const actions = read.map(({ action }) => action);
	expect(actions.toSorted((one, other) => one.localeCompare(other))).toEqual([
		"create_organization",
		"decide_sender_id",
		"grant_quota",
		"issue_api_key",
		"request_sender_id",
		"set_hold",
		"set_hold",
		"set_hold",
		"set_organization_state",
	]);
	expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
	const times = read.map(({ created_at }) => Date.parse(created_at));
	expect(times).toEqual(times.toSorted((one, other) => other - one));
	expect(text).not.toContain("grace");
});
