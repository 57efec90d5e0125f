import type { Caller } from "@airtower/platform/identity/caller-token";
import { callerOf } from "@airtower/platform/rpc/caller";
import { randomBase62 } from "@airtower/platform/runtime/base62";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { DeliverySchema } from "@airtower/proto/webhooks/v1/delivery";
import {
	type CreateEndpointRequest,
	type CreateEndpointResponseSchema,
	type ListEndpointDeliveriesRequest,
	type ListMessageDeliveriesRequest,
	type RedeliverRequest,
	type RedeliverResponseSchema,
	type RotateSecretRequest,
	type RotateSecretResponseSchema,
	type UpdateEndpointRequest,
	type WebhookEndpointSchema,
	WebhooksService,
} from "@airtower/proto/webhooks/v1/webhooks";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { StoredResponses } from "./idempotency.ts";
import { pageOf } from "./pages.ts";

type Endpoint = MessageInitShape<typeof WebhookEndpointSchema> & { id: string };
type Delivery = Omit<MessageInitShape<typeof DeliverySchema>, "$typeName"> & {
	id: string;
};
type Created = MessageInitShape<typeof CreateEndpointResponseSchema>;
type Rotated = MessageInitShape<typeof RotateSecretResponseSchema>;
type Redelivered = MessageInitShape<typeof RedeliverResponseSchema>;

const MAX_ENDPOINTS = 10;

/** Webhook endpoints as webhooks would keep them. */
export class FakeWebhooks {
	/** Who listed endpoints. */
	readonly callers: Caller[] = [];
	private readonly endpoints = new Map<string, Endpoint[]>();
	private readonly deliveries = new Map<string, Delivery[]>();
	private readonly responses = new StoredResponses<
		Created & Rotated & Redelivered
	>();

	readonly routes = (router: ConnectRouter): void => {
		router.service(WebhooksService, {
			createEndpoint: (request) => this.create(request),
			listEndpoints: ({ organizationId, page }, context) => {
				this.callers.push(callerOf(context));
				const { shown, ...next } = pageOf(this.of(organizationId), page);
				return { endpoints: shown, ...next };
			},
			deleteEndpoint: ({ organizationId, endpointId }) => {
				this.find(organizationId, endpointId);
				const rest = this.of(organizationId).filter(
					({ id }) => id !== endpointId,
				);
				this.endpoints.set(organizationId, rest);
				return {};
			},
			updateEndpoint: (request) => ({ endpoint: this.update(request) }),
			rotateSecret: (request) => this.rotate(request),
			listEndpointDeliveries: (request) => this.listDeliveries(request),
			redeliver: (request) => this.redeliver(request),
			listMessageDeliveries: (request) => this.deliveriesOf(request),
		});
	};

	/** Disables an endpoint, as its receiver's 410 would. */
	disable(organizationId: string, endpointId: string): void {
		const endpoint = this.find(organizationId, endpointId);
		Object.assign(endpoint, {
			status: "disabled",
			disabledReason: "gone",
			disabledAt: timestampNow(),
		});
	}

	/** Gives an endpoint a delivery; returns its event. */
	addDelivery(endpointId: string, fields: Partial<Delivery> = {}): string {
		const id = uuidv7();
		const delivery: Delivery = {
			id,
			eventId: id,
			endpointId,
			messageId: uuidv7(),
			type: "message.delivered",
			status: "delivered",
			attempts: 1,
			lastHttpStatus: 200,
			createdAt: timestampNow(),
			...fields,
		};
		const known = this.deliveries.get(endpointId) ?? [];
		this.deliveries.set(endpointId, [...known, delivery]);
		return id;
	}

	private of(organizationId: string): Endpoint[] {
		return this.endpoints.get(organizationId) ?? [];
	}

	private find(organizationId: string, endpointId: string): Endpoint {
		const found = this.of(organizationId).find(({ id }) => id === endpointId);
		if (found !== undefined) return found;
		throw new DomainError({
			kind: "not_found",
			reason: "unknown_webhook_endpoint",
			message: "There is no such webhook endpoint.",
		});
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
		const created = { endpoint: { ...endpoint }, ...newSecrets() };
		this.responses.keep(organizationId, idempotency, created);
		return created;
	}

	private update(request: UpdateEndpointRequest): Endpoint {
		const { organizationId, endpointId, url, subscribedEvents } = request;
		const endpoint = this.find(organizationId, endpointId);
		if (url !== undefined) endpoint.url = url;
		if (subscribedEvents.length > 0)
			endpoint.subscribedEvents = subscribedEvents;
		if (request.enable) {
			Object.assign(endpoint, { status: "active", disabledReason: "" });
			delete endpoint.disabledAt;
		}
		return endpoint;
	}

	private rotate(request: RotateSecretRequest): Rotated {
		const { organizationId, endpointId, idempotency } = request;
		const earlier = this.responses.find(organizationId, idempotency);
		if (earlier !== undefined) return { ...earlier, replayed: true };
		const endpoint = this.find(organizationId, endpointId);
		const previousSignsUntil = timestampNow();
		const rotated = { endpoint, ...newSecrets(), previousSignsUntil };
		this.responses.keep(organizationId, idempotency, rotated);
		return rotated;
	}

	private listDeliveries(request: ListEndpointDeliveriesRequest) {
		const { organizationId, endpointId, status, page } = request;
		this.find(organizationId, endpointId);
		const all = this.deliveries.get(endpointId) ?? [];
		const wanted = all.filter((one) => status === "" || one.status === status);
		const { shown, ...next } = pageOf(wanted, page);
		return { deliveries: shown, ...next };
	}

	private deliveriesOf(request: ListMessageDeliveriesRequest) {
		const { organizationId, messageId } = request;
		const own = this.of(organizationId).flatMap(
			({ id }) => this.deliveries.get(id) ?? [],
		);
		return { deliveries: own.filter((one) => one.messageId === messageId) };
	}

	private redeliver(request: RedeliverRequest): Redelivered {
		const { organizationId, eventId, endpointId, idempotency } = request;
		const earlier = this.responses.find(organizationId, idempotency);
		if (earlier !== undefined) return { ...earlier, replayed: true };
		const isOwn = this.of(organizationId).some(({ id }) => id === endpointId);
		const known = isOwn ? (this.deliveries.get(endpointId) ?? []) : [];
		const found = known.find((one) => one.eventId === eventId);
		if (found === undefined)
			throw new DomainError({
				kind: "not_found",
				reason: "unknown_webhook_delivery",
				message: "There is no such webhook delivery.",
			});
		const delivery = { ...found, status: "pending", attempts: 0 };
		const queued = { delivery, nextAttemptAt: timestampNow() };
		this.responses.keep(organizationId, idempotency, queued);
		return queued;
	}
}

function newSecrets() {
	const signingSecret = `at_whsec_${randomBase62(43)}`;
	const standardSecret = `whsec_${Buffer.from(signingSecret).toString("base64")}`;
	return { signingSecret, standardSecret };
}
