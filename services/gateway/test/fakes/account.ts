import { DomainError } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	AccountService,
	type ApiKeySchema,
	type CreateApiKeyRequest,
	type DeliverySumSchema,
	type GetDeliveryReportRequest,
	type GetUsageReportRequest,
	type LedgerEntrySchema,
} from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { randomApiKey } from "../random-api-key.ts";
import { FakeAudit } from "./audit.ts";
import { StoredResponses } from "./idempotency.ts";
import { pageOf } from "./pages.ts";

type OwnedKey = { organizationId: string; apiKeyId: string };
type ApiKey = MessageInitShape<typeof ApiKeySchema> & { id: string };
type Entry = MessageInitShape<typeof LedgerEntrySchema> & { id: string };

/** Accounts as their owners see them. */
export class FakeAccount {
	/** Why no key is created. */
	refusal: DomainError | undefined;
	readonly reportRequests: GetUsageReportRequest[] = [];
	readonly deliveryRequests: GetDeliveryReportRequest[] = [];
	deliverySums: MessageInitShape<typeof DeliverySumSchema>[] = [];
	/** The key that asked for the latest revocation. */
	lastCallerId = "";
	private readonly keys = new Map<string, ApiKey[]>();
	readonly audit = new FakeAudit();
	private readonly ledger = new Map<string, Entry[]>();
	private readonly responses = new StoredResponses<{
		apiKey: ApiKey;
		secret: string;
	}>();

	/** Lists a key that accounts knows, so that it can be revoked. */
	addKey({ organizationId, apiKeyId: id }: OwnedKey): void {
		const known = this.keys.get(organizationId) ?? [];
		this.keys.set(organizationId, [...known, { id }]);
	}

	addEntry(organizationId: string): void {
		const entries = this.ledger.get(organizationId) ?? [];
		this.ledger.set(organizationId, [
			...entries,
			{
				id: uuidv7(),
				kind: "grant",
				units: 100n,
				balanceAfter: 100n,
				createdAt: timestampNow(),
			},
		]);
	}

	readonly routes = (router: ConnectRouter): void => {
		router.service(AccountService, {
			getAccount: ({ organizationId }) => ({
				organizationId,
				name: "ACME",
				email: "owner@example.com",
				commercialState: "active",
				plan: "default",
				subscriptionStatus: "active",
				currentPeriodStart: timestampNow(),
				currentPeriodEnd: timestampNow(),
				smsRemaining: 99n,
				smsUsedThisPeriod: 1n,
			}),
			listLedgerEntries: ({ organizationId, page }) => {
				const rows = this.ledger.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(rows, page);
				return { entries: shown, ...next };
			},
			getUsageReport: (request) => {
				this.reportRequests.push(request);
				const rows = this.ledger.get(request.organizationId) ?? [];
				const units = rows.reduce((sum, row) => sum + (row.units ?? 0n), 0n);
				const entries = BigInt(rows.length);
				const day = { day: "2026-03-01", kind: "grant", channel: "sms" };
				return { sums: rows.length > 0 ? [{ ...day, units, entries }] : [] };
			},
			getDeliveryReport: (request) => {
				this.deliveryRequests.push(request);
				return { sums: this.deliverySums };
			},
			listApiKeys: ({ organizationId, page }) => {
				const rows = this.keys.get(organizationId) ?? [];
				const { shown, ...next } = pageOf(rows, page);
				return { apiKeys: shown, ...next };
			},
			createApiKey: (request) => this.createApiKey(request),
			deleteApiKey: ({ organizationId, apiKeyId, ...caller }) => {
				this.lastCallerId = caller.callerApiKeyId;
				const known = this.keys.get(organizationId) ?? [];
				const rest = known.filter(({ id }) => id !== apiKeyId.toLowerCase());
				if (rest.length === known.length)
					throw new DomainError({
						kind: "not_found",
						reason: "unknown_api_key",
						message: "There is no such API key.",
					});
				this.keys.set(organizationId, rest);
				this.audit.addAct(organizationId, {
					actorKind: "api_key",
					actor: caller.callerApiKeyId,
					address: caller.callerAddress,
					action: "delete_api_key",
					subject: apiKeyId,
					before: '{"name":"billing"}',
				});
				return {};
			},
		});
	};

	private createApiKey(request: CreateApiKeyRequest) {
		if (this.refusal !== undefined) throw this.refusal;
		const { organizationId, name, idempotency, scopes } = request;
		const earlier = this.responses.find(organizationId, idempotency);
		if (earlier !== undefined) return { ...earlier, replayed: true };
		const known = this.keys.get(organizationId) ?? [];
		if (known.some((key) => key.name === name))
			throw new DomainError({
				kind: "conflict",
				reason: "api_key_exists",
				field: "name",
				message: "An active key has this name.",
			});
		const secret = randomApiKey();
		const apiKey: ApiKey = {
			id: uuidv7(),
			name,
			prefix: `${secret.slice(0, 12)}****`,
			scopes,
			status: "active",
			createdAt: timestampNow(),
			...(request.expiresAt && { expiresAt: request.expiresAt }),
		};
		this.keys.set(organizationId, [...known, apiKey]);
		this.audit.addAct(organizationId, {
			actorKind: "api_key",
			actor: request.callerApiKeyId,
			address: request.callerAddress,
			action: "create_api_key",
			subject: apiKey.id,
			after: JSON.stringify({ name, scopes }),
		});
		this.responses.keep(organizationId, idempotency, { apiKey, secret });
		return { apiKey, secret };
	}
}
