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
import { startTestSystem, type TestSystem } from "../support/test-system.ts";

const QUOTA = 10_000;

/** A running system with what the public API cannot make for itself. */
export interface ApiWorld extends TestSystem {
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
	/** Stores a text that a phone sent to the organization. */
	receiveSms(organizationId: string, from: string): Promise<void>;
	/** A user writes to the look-alike's number. */
	receiveText(from: string, text: string): Promise<void>;
}

export async function startApiWorld(): Promise<ApiWorld> {
	const running = await startTestSystem();
	const { system } = running;
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
		...running,
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
