import { randomInt, randomUUID } from "node:crypto";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { ensureWhatsappNumber } from "@airtower/dev/start/provision";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import postgres from "postgres";
import { call } from "../../services/gateway/test/call.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "../support/organization.ts";
import { type SharedSystem, sharedSystem } from "../support/shared-system.ts";
import { startTestSystem, type TestSystem } from "../support/test-system.ts";

const QUOTA = 10_000;

/** A running system with what the public API cannot make for itself. */
export interface ApiWorld {
	readonly system: SharedSystem;
	readonly baseUrl: string;
	readonly admin: AdminClients;
	/** An organization that may do everything. */
	organization(): Promise<TestOrganization>;
	/** Another key of an organization; all scopes when none are given. */
	issueKey(organizationId: string, scopes?: readonly string[]): Promise<string>;
	/** A key whose one request of this minute is spent. */
	spentKey(): Promise<string>;
	/** Gives the look-alike's number to an organization, once. */
	whatsappNumber(organizationId: string): Promise<string>;
	/** Gives an organization a number that no user writes to. */
	silentWhatsappNumber(organizationId: string): Promise<string>;
	/** Stores a text that a phone sent to the organization. */
	receiveSms(organizationId: string, from: string): Promise<void>;
	/** A user writes to the look-alike's number. */
	receiveText(from: string, text: string): Promise<void>;
}

/** On a system of the test file's own. */
export type OwnApiWorld = ApiWorld & TestSystem;

export async function startApiWorld(): Promise<OwnApiWorld> {
	const running = await startTestSystem();
	return { ...apiWorldOn(running.system), ...running };
}

/** On the system that test files share. */
export async function sharedApiWorld(): Promise<ApiWorld> {
	return apiWorldOn(await sharedSystem());
}

function apiWorldOn(system: SharedSystem): ApiWorld {
	const admin = createAdminClients(adminAccessOf(system));
	const issueKey: ApiWorld["issueKey"] = async (
		organizationId,
		scopes = [],
	) => {
		const { secret } = await admin.accountsAdmin.issueApiKey({
			organizationId,
			name: uuidv7(),
			scopes: [...scopes],
		});
		return secret;
	};
	return {
		system,
		baseUrl: system.baseUrl,
		admin,
		organization: () => createOrganization(adminClients(system), QUOTA),
		issueKey,
		spentKey: async () => {
			await admin.accountsAdmin.putPlan({ name: "tiny", requestsPerMinute: 1 });
			const { organization } = await admin.accountsAdmin.createOrganization({
				name: uuidv7(),
				email: "owner@example.com",
				plan: "tiny",
			});
			const apiKey = await issueKey(organization?.id ?? "");
			await call(system.baseUrl, "/account", { apiKey });
			return apiKey;
		},
		whatsappNumber: (organizationId) =>
			ensureWhatsappNumber(admin, organizationId, {
				...cloudApiNumber,
				accessToken: system.cloudApiToken,
			}),
		silentWhatsappNumber: async (organizationId) => {
			const { phoneNumber } = await admin.whatsappAdmin.registerPhoneNumber({
				organizationId,
				phone: `+1555${randomInt(1_000_000, 10_000_000)}`,
				providerPhoneNumberId: randomUUID(),
				providerAccountId: cloudApiNumber.providerAccountId,
				accessToken: system.cloudApiToken,
			});
			await admin.whatsappAdmin.syncTemplates({ organizationId });
			return phoneNumber?.id ?? "";
		},
		receiveSms: async (organizationId, from) => {
			const sql = postgres(system.adminDatabaseUrl, { max: 1 });
			await sql`
				insert into messaging.inbound_messages (
					id, organization_id, route, sender, recipient, body, encoding, part_count, is_complete
				)
				values (
					${uuidv7()}, ${organizationId}, 'main', ${from}, '+33644630001', 'Yes', 'gsm7', 1, true
				)
			`;
			await sql.end();
		},
		receiveText: async (from, text) => {
			const { status } = await fetch(`${system.cloudApi.url}/control/inbound`, {
				method: "POST",
				body: JSON.stringify({ from, text }),
			});
			if (status !== 200)
				throw new Error(`The look-alike responded ${status}.`);
		},
	};
}
