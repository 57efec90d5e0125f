import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
	AlwaysOffSampler,
	AlwaysOnSampler,
	BatchSpanProcessor,
	ParentBasedSampler,
	type Sampler,
	TraceIdRatioBasedSampler,
	TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { CommonConfig } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import { setTracer } from "../tracing/spans.ts";

/** More than the largest batch has members. */
const MAX_LINKS = 1_000;
/** How long a stop waits for a collector, ms. */
const LAST_SPANS_MS = 2_000;

export type TracingConfig = Pick<
	CommonConfig,
	| "OTEL_EXPORTER_OTLP_ENDPOINT"
	| "OTEL_EXPORTER_OTLP_HEADERS"
	| "OTEL_RESOURCE_ATTRIBUTES"
	| "OTEL_TRACES_SAMPLER"
	| "OTEL_TRACES_SAMPLER_ARG"
>;

/** What is told of a process: `role` tells processes of one service apart that do different work. */
export interface TracedProcess {
	readonly service: string;
	readonly role: string;
}

/** Sends the spans of this process to a collector. Returns what sends the last ones and ends it. */
export function exportSpans(
	endpoint: string,
	{ service, role }: TracedProcess,
	config: TracingConfig,
	log: Logger,
): () => Promise<void> {
	setGlobalErrorHandler((err) => log.warn({ err }, "traces were not sent"));
	const exporter = new OTLPTraceExporter({
		url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
		headers: config.OTEL_EXPORTER_OTLP_HEADERS,
	});
	const provider = new TracerProvider({
		resource: resourceFromAttributes({
			"service.instance.id": randomUUID(),
			"service.version": readVersion(),
			"airtower.role": role,
			...config.OTEL_RESOURCE_ATTRIBUTES,
			"service.name": service,
		}),
		spanLimits: { linkCountLimit: MAX_LINKS },
		sampler: createSampler(config),
		spanProcessors: [new BatchSpanProcessor({ exporter })],
	});
	setTracer(provider.getTracer("airtower"));
	return async () => {
		setTracer(undefined);
		const sent = provider
			.shutdown()
			.catch((err: unknown) => log.warn({ err }, "traces were not sent"));
		await Promise.race([sent, delay(LAST_SPANS_MS, undefined, { ref: false })]);
	};
}

function createSampler({
	OTEL_TRACES_SAMPLER: name,
	OTEL_TRACES_SAMPLER_ARG: ratio,
}: TracingConfig): Sampler {
	const root = name.endsWith("always_off")
		? new AlwaysOffSampler()
		: name.endsWith("traceidratio")
			? new TraceIdRatioBasedSampler(ratio)
			: new AlwaysOnSampler();
	return name.startsWith("parentbased_")
		? new ParentBasedSampler({ root })
		: root;
}

/** Of the product: all its services have one. */
function readVersion(): string {
	const file = new URL("../../../package.json", import.meta.url);
	return (JSON.parse(readFileSync(file, "utf8")) as { version: string })
		.version;
}
