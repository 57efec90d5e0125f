import type { Logger } from "../runtime/log.ts";
import type { TracedProcess, TracingConfig } from "./export-spans.ts";

/**
 * For the whole process, unless no endpoint is set: then the OpenTelemetry packages, a tenth of all modules of a
 * service, are not even loaded. Returns what sends the last spans and ends it.
 */
export async function startTracing(
	process: TracedProcess,
	config: TracingConfig,
	log: Logger,
): Promise<() => Promise<void>> {
	const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
	if (endpoint === undefined) return async () => {};
	const { exportSpans } = await import("./export-spans.ts");
	return exportSpans(endpoint, process, config, log);
}
