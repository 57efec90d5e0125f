import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ConfigError, readConfig, serviceConfig } from "../runtime/config.ts";
import { silentLog } from "../testing/log.ts";
import { isTracing, sampledTraceparent, startSpan } from "../tracing/spans.ts";
import type { TracingConfig } from "./export-spans.ts";
import { startTracing } from "./start-tracing.ts";

const SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const schema = z.object(serviceConfig("test")).pick({
	OTEL_EXPORTER_OTLP_ENDPOINT: true,
	OTEL_EXPORTER_OTLP_HEADERS: true,
	OTEL_RESOURCE_ATTRIBUTES: true,
	OTEL_TRACES_SAMPLER: true,
	OTEL_TRACES_SAMPLER_ARG: true,
});

function settings(env: Record<string, string>): TracingConfig {
	return readConfig(schema, env);
}

async function portOf(server: Server): Promise<number> {
	onTestFinished(() => void server.close());
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	return (server.address() as AddressInfo).port;
}

test("without an endpoint there are no traces", async () => {
	const stop = await startTracing(
		{ service: "test", role: "worker" },
		settings({}),
		silentLog,
	);
	expect(isTracing()).toBe(false);
	await stop();
});

test("the last spans are sent at the stop, with the headers that are set, and only those of sampled traces", async () => {
	const received: { headers: IncomingHttpHeaders; body: string }[] = [];
	const server = createServer(async (request, response) => {
		received.push({ headers: request.headers, body: await text(request) });
		response.end("{}");
	});
	const config = settings({
		OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await portOf(server)}/`,
		OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b=c,x-other=d",
		OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
		OTEL_TRACES_SAMPLER_ARG: "0",
	});
	const stop = await startTracing(
		{ service: "test", role: "worker" },
		config,
		silentLog,
	);
	const root = startSpan("left out", undefined);
	expect(sampledTraceparent(root)).toBe(undefined);
	root?.end();
	startSpan("kept", SAMPLED)?.end();
	await stop();

	expect(isTracing()).toBe(false);
	expect(received).toHaveLength(1);
	expect(received[0]?.headers).toMatchObject({
		"x-key": "a b=c",
		"x-other": "d",
	});
	expect(received[0]?.body).toContain('"name":"kept"');
	expect(received[0]?.body).not.toContain("left out");
});

test("a collector that does not respond holds up a stop for 2 s, not for its time-out of 10", async () => {
	const server = createServer(() => {});
	onTestFinished(() => server.closeAllConnections());
	const config = settings({
		OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await portOf(server)}`,
	});
	const stop = await startTracing(
		{ service: "test", role: "worker" },
		config,
		silentLog,
	);
	startSpan("lost", undefined)?.end();
	const startedAt = performance.now();
	await stop();
	expect(performance.now() - startedAt).toBeLessThan(8_000);
});

test("spans say which process they are of; settings add to it, and do not rename the service", async () => {
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		bodies.push(await text(request));
		response.end("{}");
	});
	const config = settings({
		OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await portOf(server)}`,
		OTEL_RESOURCE_ATTRIBUTES:
			"k8s.pod.name=test-7f,deployment.environment.name=a%20b,service.name=x",
	});
	const stop = await startTracing(
		{ service: "test", role: "worker" },
		config,
		silentLog,
	);
	startSpan("one", undefined)?.end();
	await stop();
	const [sent] = JSON.parse(bodies[0] ?? "").resourceSpans;
	const said = Object.fromEntries(
		sent.resource.attributes.map(
			(one: { key: string; value: { stringValue: string } }) => [
				one.key,
				one.value.stringValue,
			],
		),
	);
	expect(said).toEqual({
		"service.name": "test",
		"service.version": expect.stringMatching(/^\d+\.\d+\.\d+$/),
		"service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
		"airtower.role": "worker",
		"k8s.pod.name": "test-7f",
		"deployment.environment.name": "a b",
	});
});

test("settings of tracing that mean nothing are refused", () => {
	for (const env of [
		{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
		{ OTEL_EXPORTER_OTLP_HEADERS: "x-key" },
		{ OTEL_RESOURCE_ATTRIBUTES: "pod" },
		{ OTEL_TRACES_SAMPLER: "jaeger_remote" },
		{ OTEL_TRACES_SAMPLER_ARG: "2" },
	])
		expect(() => settings(env)).toThrow(ConfigError);
});
