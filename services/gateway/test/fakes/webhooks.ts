import { randomBase62 } from "@airtower/platform/runtime/base62";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type CreateEndpointRequest,
	type CreateEndpointResponseSchema,
	type WebhookEndpointSchema,
	WebhooksService,
} from "@airtower/proto/webhooks/v1/webhooks";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { StoredResponses } from "./idempotency.ts";

type Endpoint = MessageInitShape<typeof WebhookEndpointSchema> & { id: string };
type Created = MessageInitShape<typeof CreateEndpointResponseSchema>;

const MAX_ENDPOINTS = 10;

/** Webhook endpoints as webhooks would keep them. */
export class FakeWebhooks {
	private readonly endpoints = new Map<string, Endpoint[]>();
	private readonly responses = new StoredResponses<Created>();

	readonly routes = (router: ConnectRouter): void => {
		router.service(WebhooksService, {
			createEndpoint: (request) => this.create(request),
			listEndpoints: ({ organizationId, page }) => {
				const all = this.of(organizationId).toReversed();
				const after = page?.after?.id;
				const start =
					after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
				const limit = page?.limit ?? 0;
				const shown = all.slice(start, start + limit);
				const last = shown.at(-1);
				if (last === undefined || start + limit >= all.length)
					return { endpoints: shown };
				const { createdAt = timestampNow(), id } = last;
				return { endpoints: shown, next: { createdAt, id } };
			},
			deleteEndpoint: ({ organizationId, endpointId }) => {
				const all = this.of(organizationId);
				const rest = all.filter(({ id }) => id !== endpointId);
				if (rest.length === all.length)
					throw new DomainError({
						kind: "not_found",
						reason: "unknown_webhook_endpoint",
						message: "There is no such webhook endpoint.",
					});
				this.endpoints.set(organizationId, rest);
				return {};
			},
		});
	};

	private of(organizationId: string): Endpoint[] {
		return this.endpoints.get(organizationId) ?? [];
	}

	private create(request: CreateEndpointRequest): Created {
		const { organizationId, url, subscribedEvents, idempotency } = request;
		const earlier = this.responses.find(organizationId, idempotency);
		if (earlier !== undefined) return { ...earlier, replayed: true };
		if (url.startsWith("https://127."))
			throw new DomainError({
				kind: "invalid",
				reason: "invalid_webhook_url",
				field: "url",
				message: "The address is not public.",
			});
		if (this.of(organizationId).length >= MAX_ENDPOINTS)
			throw new DomainError({
				kind: "conflict",
				reason: "webhook_limit_reached",
				message: "An organization can have 10 webhook endpoints.",
			});
		const endpoint: Endpoint = {
			id: uuidv7(),
			url,
			subscribedEvents,
			status: "active",
			createdAt: timestampNow(),
		};
		this.endpoints.set(organizationId, [...this.of(organizationId), endpoint]);
		const created = {
			endpoint,
			signingSecret: `at_whsec_${randomBase62(43)}`,
		};
		this.responses.keep(organizationId, idempotency, created);
		return created;
	}
}
