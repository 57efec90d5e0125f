import {
	AlwaysOffSampler,
	AlwaysOnSampler,
	InMemorySpanExporter,
	ParentBasedSampler,
	type Sampler,
	SimpleSpanProcessor,
	TracerProvider,
} from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";
import {
	continueSpan,
	currentSpan,
	endSpan,
	inSpan,
	isTracing,
	sampledTraceparent,
	setTracer,
	startBatchSpan,
	startSpan,
	traceIds,
	traceparentOf,
} from "./spans.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`;
const UNSAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
const OTHER = "00-1af7651916cd43dd8448eb211c80319d-c7ad6b7169203332-01";

function trace(root: Sampler = new AlwaysOnSampler()) {
	const exporter = new InMemorySpanExporter();
	const provider = new TracerProvider({
		sampler: new ParentBasedSampler({ root }),
		spanProcessors: [new SimpleSpanProcessor({ exporter })],
	});
	setTracer(provider.getTracer("test"));
	return () => exporter.getFinishedSpans();
}

afterEach(() => setTracer(undefined));

test("while tracing is off nothing makes a span", async () => {
	expect(isTracing()).toBe(false);
	expect(startSpan("a", SAMPLED)).toBe(undefined);
	expect(startBatchSpan("a", [SAMPLED])).toBe(undefined);
	expect(await inSpan(undefined, async () => currentSpan())).toBe(undefined);
});

test("a batch goes on with the first trace that is recorded; each of the others links to it, and it to them", () => {
	const finished = trace();
	endSpan(
		startBatchSpan("batch", [null, UNSAMPLED, SAMPLED, undefined, OTHER]),
	);
	const [member, span] = finished();
	expect(span?.parentSpanContext?.traceId).toBe(TRACE);
	expect(member?.name).toBe("joined batch");
	expect(member?.spanContext().traceId).toBe(OTHER.split("-")[1]);
	expect(member?.links.map(({ context }) => context.spanId)).toEqual([
		span?.spanContext().spanId,
	]);
	expect(span?.links.map(({ context }) => context.spanId)).toEqual([
		member?.spanContext().spanId,
	]);
});

test("work for no trace has no span, and work for one that is not recorded tells others so", () => {
	trace();
	expect(continueSpan("a", null)).toBe(undefined);
	expect(startBatchSpan("a", [null, undefined])).toBe(undefined);
	const span = startBatchSpan("a", [UNSAMPLED]);
	expect(traceparentOf(span)?.endsWith("-00")).toBe(true);
	expect(sampledTraceparent(span)).toBe(undefined);
	expect(traceIds(span)).toBe(undefined);
});

test("what the sampler leaves out is not stored with a row", () => {
	trace(new AlwaysOffSampler());
	expect(sampledTraceparent(startSpan("a", undefined))).toBe(undefined);
});

test("an error is told by its class, never by its message", async () => {
	const finished = trace();
	const failing = inSpan(startSpan("a", undefined), async () => {
		expect(traceIds()?.span_id).toBe(currentSpan()?.spanContext().spanId);
		throw new TypeError("+33612345678");
	});
	await expect(failing).rejects.toThrow(TypeError);
	expect(finished()[0]?.status.message).toBe("TypeError");
	expect(finished()[0]?.events).toEqual([]);
});
