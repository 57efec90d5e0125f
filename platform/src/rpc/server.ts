import { Health } from "@airtower/proto/grpc/health/v1/health";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import {
	Code,
	ConnectError,
	type ConnectRouter,
	createConnectRouter,
	type HandlerContext,
	type Interceptor,
} from "@connectrpc/connect";
import { createTokenVerifier } from "../identity/token-verifier.ts";
import type { TrustedKeys } from "../identity/trusted-keys.ts";
import { DomainError } from "../runtime/domain-error.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { createAccessRule } from "./access.ts";
import { createCallSlots, holdSlot } from "./call-slots.ts";
import { createDeadline } from "./deadline.ts";
import { createHttpHandler } from "./http/handler.ts";
import { listenHttp } from "./http/listener.ts";
import { createUnauthenticatedPeers } from "./http/unauthenticated.ts";
import { mapErrors } from "./map-errors.ts";
import { createCallObserver, enterCall } from "./observe-calls.ts";
import type { RpcRoute } from "./route.ts";
import { createHealth } from "./standard/health.ts";
import { isStandardMethod } from "./standard/methods.ts";
import { routeReflection } from "./standard/reflection.ts";
import type { TlsSource } from "./tls.ts";

const MAX_MESSAGE_BYTES = 8 * 1_048_576;
/** Longest time a call may take, whatever its caller allows, ms. */
const MAX_CALL_MS = 30_000;
const MAX_CONCURRENT_CALLS = 1_000;
/** Health watches and reflection streams at a time; they need no token. */
const MAX_STANDARD_STREAMS = 64;
const CLOSE_GRACE_MS = 10_000;

export interface RpcServerOptions {
	readonly host: string;
	readonly port: number;
	readonly audience: string;
	readonly trustedKeys: () => TrustedKeys;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly tls?: TlsSource | undefined;
	readonly routes: readonly RpcRoute[];
	/** True where everybody may ask by reflection what is served; else it takes a token. */
	readonly openReflection?: boolean;
	readonly isHealthy: () => Promise<boolean>;
	/** True while what calls ask for can be stored; default: while the server is healthy. */
	readonly canStore?: () => Promise<boolean>;
	/** Around handlers, after access and validation. */
	readonly interceptors?: readonly Interceptor[];
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

/** A call passes: request id and log; access; concurrency; its body; deadline; errors; validation; handler. */
export async function startRpcServer(
	options: RpcServerOptions,
): Promise<RpcServer> {
	const { host, port, tls, limits = {} } = options;
	const closing = new AbortController();
	const abandon = new AbortController();
	const router = createRouter(options, closing.signal, abandon.signal);
	const unauthenticated = createUnauthenticatedPeers();
	const handler = createHttpHandler(router, unauthenticated, options.log);
	const listener = await listenHttp(
		{ host, port, tls },
		unauthenticated,
		handler,
	);
	let closed: Promise<void> | undefined;
	return {
		port: listener.port,
		close() {
			closing.abort();
			closed ??= listener.close(limits.closeGraceMs ?? CLOSE_GRACE_MS, () =>
				abandon.abort(
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
	abandon: AbortSignal,
): ConnectRouter {
	const { limits = {}, routes, isHealthy, interceptors = [] } = options;
	const { canStore = isHealthy } = options;
	const services = routes.map(({ service }) => service);
	const router = createConnectRouter({
		readMaxBytes: MAX_MESSAGE_BYTES,
		writeMaxBytes: MAX_MESSAGE_BYTES,
		shutdownSignal: abandon,
		requestGate: createGate(options),
		interceptors: [
			enterCall,
			createDeadline(limits.maxCallMs ?? MAX_CALL_MS),
			holdSlot,
			mapErrors,
			createValidation(),
			...interceptors,
		],
	});
	for (const { register } of routes) register(router);
	const names = services.map((service) => service.typeName);
	const health = { services: names, isHealthy, canStore, closing };
	router.service(Health, createHealth(health));
	routeReflection(router, [...services, Health], closing);
	return router;
}

function createGate(
	options: RpcServerOptions,
): (context: HandlerContext) => Promise<void> {
	const { trustedKeys, audience, log, metrics, limits = {} } = options;
	const services = options.routes.map(({ service }) => service);
	const observe = createCallObserver(log, metrics, services);
	const verify = createTokenVerifier({ trustedKeys, audience });
	const { openReflection = false } = options;
	const checkAccess = createAccessRule(verify, { openReflection });
	const takeSlot = createCallSlots(
		limits.maxConcurrentCalls ?? MAX_CONCURRENT_CALLS,
	);
	const takeStreamSlot = createCallSlots(MAX_STANDARD_STREAMS);
	const takeShareOf = new Map(options.routes.flatMap(toShareSlots));

	return async (context) => {
		observe(context);
		await checkAccess(context);
		const { method } = context;
		if (isStandardMethod(method)) {
			if (method.methodKind !== "unary") takeStreamSlot(context);
			return;
		}
		takeSlot(context);
		takeShareOf.get(method)?.(context);
	};
}

function toShareSlots({ service, share }: RpcRoute) {
	if (share === undefined) return [];
	const take = createCallSlots(share.slots);
	return service.methods
		.filter(({ localName }) => share.methods.includes(localName))
		.map((method) => [method, take] as const);
}

/** The first violation refuses the call: invalid, `validation_failed`, with the path of the field. */
function createValidation(): Interceptor {
	const validator = createValidator({ failFast: true, regexMatch });
	return (next) => async (req) => {
		if (req.stream) return next(req);
		const result = validator.validate(req.method.input, req.message);
		if (result.kind === "error") throw result.error;
		if (result.kind === "invalid") throw toRefusal(result.violations[0]);
		return next(req);
	};
}

const compiled = new Map<string, RegExp>();

/** The patterns are our own and need no guard against backtracking: V8 is ten times RE2's speed. */
function regexMatch(pattern: string, text: string): boolean {
	let regex = compiled.get(pattern);
	if (regex === undefined) {
		regex = new RegExp(pattern, "u");
		compiled.set(pattern, regex);
	}
	return regex.test(text);
}

function toRefusal(violation: Violation | undefined): DomainError {
	const field = violation === undefined ? "" : pathToString(violation.field);
	const what = violation?.message || "breaks a rule of its contract";
	return new DomainError({
		kind: "invalid",
		reason: "validation_failed",
		message: field === "" ? `Request: ${what}.` : `Field ${field}: ${what}.`,
		...(field === "" ? {} : { field }),
	});
}
