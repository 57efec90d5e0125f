import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A span as OTLP writes it in JSON, with its service. */
export interface CollectedSpan {
	readonly service: string;
	readonly name: string;
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	/** 2 server, 3 client, 4 producer, 5 consumer. */
	readonly kind: number;
	readonly links?: readonly {
		readonly traceId: string;
		readonly spanId: string;
	}[];
	readonly attributes: readonly {
		readonly key: string;
		readonly value: unknown;
	}[];
}

interface Export {
	readonly resourceSpans: readonly {
		readonly resource: { readonly attributes: readonly Attribute[] };
		readonly scopeSpans: readonly {
			readonly spans: readonly Omit<CollectedSpan, "service">[];
		}[];
	}[];
}

interface Attribute {
	readonly key: string;
	readonly value: { readonly stringValue?: string };
}

export interface TraceCollector {
	/** What OTEL_EXPORTER_OTLP_ENDPOINT is set to. */
	readonly endpoint: string;
	/** In the order of their arrival. */
	readonly spans: readonly CollectedSpan[];
	/** Spans that go on with the span or link to it. */
	after(span: CollectedSpan): CollectedSpan[];
	close(): void;
}

/** Takes OTLP over HTTP in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
	const spans: CollectedSpan[] = [];
	const server = createServer(async (request, response) => {
		spans.push(...readSpans((await json(request)) as Export));
		response.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		endpoint: `http://127.0.0.1:${port}`,
		spans,
		after: ({ traceId, spanId }) =>
			spans.filter(
				(one) =>
					(one.traceId === traceId && one.parentSpanId === spanId) ||
					one.links?.some(
						(link) => link.traceId === traceId && link.spanId === spanId,
					),
			),
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

function readSpans({ resourceSpans }: Export): CollectedSpan[] {
	return resourceSpans.flatMap(({ resource, scopeSpans }) => {
		const name = resource.attributes.find(({ key }) => key === "service.name");
		const service = name?.value.stringValue ?? "";
		return scopeSpans.flatMap((scope) =>
			scope.spans.map((span) => ({ ...span, service })),
		);
	});
}
