import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startReceiver } from "@airtower/dev/load/receiver";
import {
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { ensureWhatsappNumber } from "@airtower/dev/start/provision";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { type ServiceName, serviceNames } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../support/api.ts";
import { adminClients, createOrganization } from "../support/organization.ts";
import { startTestSystem, type TestSystem } from "../support/test-system.ts";
import {
	type CollectedSpan,
	startTraceCollector,
	type TraceCollector,
} from "../support/trace-collector.ts";
import { sendUntilDelivered } from "./scrape.ts";

const MESSAGING = "airtower.messaging.v1.MessagingService/SendMessages";
const ACCOUNTS = "airtower.accounts.v1.AccountsService/ReserveQuota";
const WHATSAPP = "airtower.whatsapp.v1.WhatsAppService/SendWhatsAppMessages";
const TOGETHER = 30;
const CLIENT = 3;
const SERVER = 2;

const callbacks: Readonly<Record<string, string | undefined>>[] = [];
let collector: TraceCollector;
let running: TestSystem;

beforeAll(async () => {
	collector = await startTraceCollector();
	const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
	running = await startTestSystem({
		env: Object.fromEntries(
			serviceNames.map((name): [ServiceName, typeof env] => [name, env]),
		),
	});
});
afterAll(async () => {
	await running.dispose();
	collector.close();
});

/** The span of that name that goes on with another, or links to it. */
function next(
	from: CollectedSpan | undefined,
	service: string,
	name: string,
	kind?: number,
): CollectedSpan {
	const followers =
		from === undefined ? collector.spans : collector.after(from);
	const found = followers.find(
		(one) =>
			one.service === service &&
			one.name === name &&
			(kind === undefined || one.kind === kind),
	);
	if (found === undefined)
		throw new Error(
			`No span ${name} of ${service} after ${from?.name}, but ${followers.map((one) => `${one.service}: ${one.name}`).join(", ")}`,
		);
	return found;
}

const findPosts = () =>
	collector.spans.filter(({ name }) => name === "POST /api/v1/sms/send");

test("a collector is told of one message from its POST to its callback, each step by its parent or a link", async () => {
	const { system } = running;
	const organization = await createOrganization(adminClients(system), 10);
	const receiver = await startReceiver({
		onCallback: ({ headers }) => callbacks.push(headers),
	});
	const client = apiClient(system.baseUrl, organization.apiKey);
	await client.post("/webhooks", {
		url: receiver.url,
		subscribed_events: ["message.delivered"],
	});
	await client.close();
	const messageId = await sendUntilDelivered(system, organization);
	await eventually(() => expect(callbacks).toHaveLength(1));
	await receiver.close();

	const post = await eventually(() => {
		const post = next(undefined, "gateway", "POST /api/v1/sms/send", SERVER);
		const batch = next(post, "gateway", "send sms batch");
		const call = next(batch, "gateway", MESSAGING, CLIENT);
		const accept = next(call, "messaging", MESSAGING, SERVER);
		const reserve = next(accept, "messaging", ACCOUNTS, CLIENT);
		next(reserve, "accounts", ACCOUNTS, SERVER);
		const dispatch = next(post, "messaging", "dispatch");
		next(dispatch, "messaging", "smpp submit_sm", CLIENT);
		const receipt = next(post, "messaging", "receipt");
		next(receipt, "messaging", "outbox publish");
		next(receipt, "webhooks", "consume webhooks");
		const callback = next(receipt, "webhooks", "webhook POST", CLIENT);
		expect(callback.traceId).toBe(post.traceId);
		expect(JSON.stringify(dispatch.attributes)).toContain(messageId);
		return post;
	});
	expect(post.parentSpanId ?? "").toBe("");
});

test("a WhatsApp message too: from its POST over the Cloud API and its status to its callback", async () => {
	const { system } = running;
	const organization = await createOrganization(adminClients(system), 10);
	const admin = createAdminClients(adminAccessOf(system));
	const phoneNumberId = await ensureWhatsappNumber(admin, organization.id, {
		...cloudApiNumber,
		accessToken: system.cloudApiToken,
	});
	const receiver = await startReceiver({
		onCallback: ({ headers }) => callbacks.push(headers),
	});
	const client = apiClient(system.baseUrl, organization.apiKey);
	await client.post("/webhooks", {
		url: receiver.url,
		subscribed_events: ["message.delivered"],
	});
	const before = callbacks.length;
	const template = {
		name: "order_update",
		language: "en_US",
		category: "utility",
		parameters: ["Ada", "42"],
	};
	const to = "+33612345678";
	const body = { type: "template", to, phoneNumberId, template };
	const sent = await client.post("/whatsapp/messages", body);
	expect(sent.status).toBe(202);
	await client.close();
	await eventually(() => expect(callbacks.length).toBeGreaterThan(before));
	await receiver.close();

	await eventually(() => {
		const name = "POST /api/v1/whatsapp/messages";
		const post = next(undefined, "gateway", name, SERVER);
		const batch = next(post, "gateway", "send whatsapp batch");
		next(next(batch, "gateway", WHATSAPP, CLIENT), "whatsapp", WHATSAPP);
		const dispatch = next(post, "whatsapp", "dispatch");
		next(dispatch, "whatsapp", "cloud api POST", CLIENT);
		const status = next(post, "whatsapp", "status");
		next(status, "whatsapp", "outbox publish");
		next(status, "webhooks", "consume webhooks");
		const callback = next(status, "webhooks", "webhook POST", CLIENT);
		expect(callback.traceId).toBe(post.traceId);
		const attributes = JSON.stringify(dispatch.attributes);
		expect(attributes).toContain(sent.body.messageId);
	});
});

test("no receiver is told of our traces", () => {
	expect(callbacks).not.toHaveLength(0);
	for (const headers of callbacks)
		for (const name of ["traceparent", "tracestate", "baggage", "b3"])
			expect(headers).not.toHaveProperty(name);
});

/** What carried the message of a POST: the batch in its own trace, or the one that its own trace links to. */
function carrierOf(post: CollectedSpan, name: string): CollectedSpan {
	const own = collector.spans.filter(
		({ parentSpanId }) => parentSpanId === post.spanId,
	);
	const batch = own.find((span) => span.name === name);
	if (batch !== undefined) return batch;
	const [link] =
		own.find((span) => span.name === `joined ${name}`)?.links ?? [];
	const carrier = collector.spans.find(({ spanId }) => spanId === link?.spanId);
	if (carrier === undefined) throw new Error(`Nothing leads to a ${name}.`);
	return carrier;
}

test("messages that come together share a call: from each one's own trace a link leads there, and back", async () => {
	const { system } = running;
	const { apiKey } = await createOrganization(adminClients(system), TOGETHER);
	const client = apiClient(system.baseUrl, apiKey, TOGETHER);
	const body = { to: "+33612345678", message: "Hello" };
	const sent = Array.from({ length: TOGETHER }, () =>
		client.post("/sms/send", body),
	);
	await Promise.all(sent);
	await client.close();
	await eventually(() => {
		const posts = findPosts();
		expect(posts.length).toBeGreaterThan(TOGETHER);
		const batches = posts.map((post) => carrierOf(post, "send sms batch"));
		expect(new Set(batches).size).toBeLessThan(posts.length);
		for (const [at, batch] of batches.entries()) {
			const call = next(batch, "gateway", MESSAGING, CLIENT);
			const accept = next(call, "messaging", MESSAGING, SERVER);
			next(accept, "messaging", ACCOUNTS, CLIENT);
			const post = posts[at];
			if (batch.traceId === post?.traceId) continue;
			expect(batch.links?.map(({ traceId }) => traceId)).toContain(
				post?.traceId,
			);
		}
	});
});

test("a client's own traceparent begins no trace of ours", async () => {
	const { system } = running;
	const before = findPosts().length;
	const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
	const { apiKey } = await createOrganization(adminClients(system), 10);
	const client = apiClient(system.baseUrl, apiKey);
	const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
	const body = { to: "+33612345678", message: "Hello" };
	await client.post("/sms/send", body, headers);
	await client.close();
	await eventually(() => expect(findPosts().length).toBeGreaterThan(before));
	expect(collector.spans.map((span) => span.traceId)).not.toContain(traceId);
});

test("log lines name the trace that they belong to, and metrics one for a time", async () => {
	const { system } = running;
	const post = next(undefined, "gateway", "POST /api/v1/sms/send", SERVER);
	const ids = `"trace_id":"${post.traceId}","span_id":"${post.spanId}"`;
	await eventually(async () => {
		const log = await readFile(
			join(system.dataDir, "logs/gateway-requests.log"),
			"utf8",
		);
		expect(log).toContain(ids);
	});
	const { opsUrl } = system.addresses.gateway;
	const accept = "application/openmetrics-text";
	const response = await fetch(`${opsUrl}/metrics`, { headers: { accept } });
	expect(await response.text()).toMatch(
		/gateway_http_request_seconds_bucket\{.*route="\/api\/v1\/sms\/send".*# \{trace_id="[0-9a-f]{32}",span_id=/,
	);
});
