import {
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { ensureSender } from "@airtower/dev/start/provision";
import { expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(sharedSystem);

test("a suspension holds what was accepted when it is asked to, until the next state", async () => {
	const { json, newOrganization, sql } = use;
	const { id, name } = await newOrganization();
	const holds = async () => {
		const rows = await sql`
			select 'sms' as channel from messaging.suspended_organizations where organization_id = ${id}
			union all
			select 'whatsapp' from whatsapp.suspended_organizations where organization_id = ${id}
		`;
		return rows.map(({ channel }) => channel);
	};
	const suspend = ["organizations", "state", name, "suspended"];
	expect(await json(...suspend)).toMatchObject({ accepted_held: false });
	expect(await holds()).toEqual([]);
	expect(await json(...suspend, "--hold")).toMatchObject({
		state: "suspended",
		accepted_held: true,
	});
	expect(await holds()).toEqual(["sms", "whatsapp"]);
	await json("organizations", "state", name, "trial");
	expect(await holds()).toEqual([]);
	const acts = await sql`
		select after
		from messaging.audit_entries
		where organization_id = ${id}
		and action = 'set_hold'
		order by id
	`;
	expect(acts.map(({ after }) => after)).toEqual([
		{ held: true },
		{ held: false },
	]);
});

test("a sender that an admin has suspended stays so at the next start", async () => {
	const { json, newOrganization } = use;
	const { id, name } = await newOrganization();
	const clients = createAdminClients(adminAccessOf(use.system));
	await ensureSender(clients, id, "Acme");
	const acme = { value: "Acme", status: "approved" };
	expect(await json("senders", "list", name)).toMatchObject([acme]);
	await json("senders", "suspend", name, "Acme", "--reason", "Abuse");
	await ensureSender(clients, id, "Acme");
	expect(await json("senders", "list", name)).toMatchObject([
		{ ...acme, status: "suspended" },
	]);
});
