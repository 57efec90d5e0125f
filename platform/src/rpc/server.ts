import { Health } from "@airtower/proto/grpc/health/v1/health";
import {
	Code,
	ConnectError,
	type ConnectRouter,
	createConnectRouter,
	type HandlerContext,
} from "@connectrpc/connect";
import type { KeyRing } from "../runtime/key-ring.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { createAccessRule, isStandardMethod } from "./access.ts";
import { createCallSlots, holdSlot } from "./call-slots.ts";
import { createDeadline } from "./deadline.ts";
import { createHealth } from "./health.ts";
import { createHttp2Handler } from "./http2-handler.ts";
import { listenHttp2 } from "./http2-listener.ts";
import { createCallObserver } from "./observe-calls.ts";
import { routeReflection } from "./reflection.ts";
import type { RpcRoute } from "./route.ts";
import { enterCall, mapErrors } from "./server-interceptors.ts";
import type { RpcTls } from "./tls.ts";
import { createTokenVerifier } from "./token-verifier.ts";
import { createValidation } from "./validate.ts";

/** Largest message read or written, bytes. */
const MAX_MESSAGE_BYTES = 8 * 1_048_576;
/** Longest time a call may take, whatever its caller allows, milliseconds. */
const MAX_CALL_MS = 30_000;
const MAX_CONCURRENT_CALLS = 1_000;
/** Health watches and reflection streams at a time; they need no token. */
const MAX_STANDARD_STREAMS = 64;
/** Time that running calls get when the server closes, milliseconds. */
const CLOSE_GRACE_MS = 10_000;

export interface RpcServerOptions {
	readonly host: string;
	/** 0 for any free port. */
	readonly port: number;
	/** Name of this service, which caller tokens must be meant for. */
	readonly audience: string;
	readonly ring: KeyRing;
	readonly log: Logger;
	readonly metrics: Metrics;
	/** Plain HTTP/2 when undefined. */
	readonly tls?: RpcTls | undefined;
	readonly routes: readonly RpcRoute[];
	readonly isHealthy: () => Promise<boolean>;
	readonly limits?: {
		readonly maxCallMs?: number;
		readonly maxConcurrentCalls?: number;
		readonly closeGraceMs?: number;
	};
}

export interface RpcServer {
	readonly port: number;
	/** Lets running calls finish for up to 10 s; safe to call twice. */
	close(): Promise<void>;
}

/**
 * Serves gRPC, gRPC-Web and Connect on one HTTP/2 port, with the standard health and reflection
 * services. A call passes: request id, log and metrics; access; concurrency limit; its body is read;
 * deadline; error mapping; validation; handler.
 */
export async function startRpcServer(
	options: RpcServerOptions,
): Promise<RpcServer> {
	const { host, port, tls, limits = {} } = options;
	const closing = new AbortController();
	const cut = new AbortController();
	const router = createRouter(options, closing.signal, cut.signal);
	const handler = createHttp2Handler(router, options.log);
	const listener = await listenHttp2({ host, port, tls }, handler);
	let closed: Promise<void> | undefined;
	return {
		port: listener.port,
		close() {
			closing.abort();
			closed ??= listener.close(limits.closeGraceMs ?? CLOSE_GRACE_MS, () =>
				cut.abort(
					new ConnectError("The service is shutting down.", Code.Unavailable),
				),
			);
			return closed;
		},
	};
}

function createRouter(
	options: RpcServerOptions,
	closing: AbortSignal,
	cut: AbortSignal,
): ConnectRouter {
	const { limits = {}, routes, isHealthy } = options;
	const services = routes.map(({ service }) => service);
	const router = createConnectRouter({
		readMaxBytes: MAX_MESSAGE_BYTES,
		writeMaxBytes: MAX_MESSAGE_BYTES,
		shutdownSignal: cut,
		requestGate: createGate(options),
		interceptors: [
			enterCall,
			createDeadline(limits.maxCallMs ?? MAX_CALL_MS),
			holdSlot,
			mapErrors,
			createValidation(),
		],
	});
	for (const { register } of routes) register(router);
	const names = services.map((service) => service.typeName);
	router.service(Health, createHealth({ services: names, isHealthy, closing }));
	routeReflection(router, [...services, Health], closing);
	return router;
}

/** What happens to a call before its body is read. */
function createGate(
	options: RpcServerOptions,
): (context: HandlerContext) => Promise<void> {
	const { ring, audience, log, metrics, limits = {} } = options;
	const observe = createCallObserver(log, metrics);
	const checkAccess = createAccessRule(createTokenVerifier({ ring, audience }));
	const takeSlot = createCallSlots(
		limits.maxConcurrentCalls ?? MAX_CONCURRENT_CALLS,
	);
	const takeStreamSlot = createCallSlots(MAX_STANDARD_STREAMS);

	return async (context) => {
		observe(context);
		await checkAccess(context);
		if (!isStandardMethod(context.method)) takeSlot(context);
		else if (context.method.methodKind !== "unary") takeStreamSlot(context);
	};
}
