import {
	createServer,
	type IncomingMessage,
	type ServerOptions,
	type ServerResponse,
} from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import { createAllowances } from "@airtower/platform/runtime/allowances";
import { toRequestId } from "@airtower/platform/runtime/request-context";
import fastify, {
	type onRequestHookHandler,
	type onSendHookHandler,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { LRUCache } from "lru-cache";
import type { Context } from "../context.ts";
import { clientNetwork } from "../domain/client-address.ts";
import type { App } from "../routes/routes.ts";
import {
	createClientErrorHandler,
	createErrorHandler,
	refuseUnroutable,
	sendRefusal,
} from "./errors.ts";
import { acceptJsonAndTables, validatorCompiler } from "./request-input.ts";

/** Unless a route says otherwise; the longest SMS in \u escapes takes a sixth. */
const BODY_LIMIT_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
/** What `Keep-Alive` tells clients: less than a stop leaves their idle connections open, ms. */
const PROMISED_IDLE_MS = 4_000;
/** Above the idle time of load balancers, which do not read that header: it is never us who closes first. */
const IDLE_MS = 75_000;
/** A connection on which nothing moves for so long is closed: a client that does not read, for one; ms. */
const STALLED_MS = 40_000;
/** Longer ids in paths are unknown, characters. */
const MAX_PARAM_LENGTH = 500;

const HTTP_OPTIONS: ServerOptions = {
	maxHeaderSize: MAX_HEADER_BYTES,
	requireHostHeader: false,
	// Of two authorizations neither counts; otherwise the server would drop the second unseen.
	joinDuplicateHeaders: true,
};

/** The HTTP server with its limits, one error shape on every layer, and no routes yet. */
export function createHttpServer(ctx: Context): App {
	const { log, trustedProxies = [] } = ctx;
	const connections = createConnectionLimits(
		trustedProxies,
		ctx.connectionsPerAddress,
	);
	const app = fastify({
		bodyLimit: BODY_LIMIT_BYTES,
		routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
		genReqId: requestIdOf,
		requestIdHeader: false,
		trustProxy: trustedProxies.length > 0 && [...trustedProxies],
		return503OnClosing: false,
		serverFactory: (handle) => {
			const server = createServer(HTTP_OPTIONS, (request, response) => {
				if (connections.admit(request, response)) handle(request, response);
			});
			server.keepAliveTimeout = PROMISED_IDLE_MS;
			server.keepAliveTimeoutBuffer = IDLE_MS - PROMISED_IDLE_MS;
			server.requestTimeout = REQUEST_TIMEOUT_MS;
			server.setTimeout(STALLED_MS);
			server.on("connection", connections.add);
			return server;
		},
		clientErrorHandler: createClientErrorHandler(connections.pendingOn),
		frameworkErrors: refuseUnroutable,
	}).withTypeProvider<ZodTypeProvider>();
	ignoreExpectations(app);
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(createErrorHandler(log, () => ctx.isDraining));
	acceptJsonAndTables(app, ctx.bodies);
	app.addHook("onRequest", setCommonHeaders);
	app.addHook("onRequest", requireHost);
	app.addHook("onSend", closeWhileDraining(ctx));
	return app;
}

/** An Expect other than 100-continue may be ignored (RFC 9110, 10.1.1); the server's own response has no request id. */
function ignoreExpectations({ server }: App): void {
	server.on("checkExpectation", (request, response) => {
		server.emit("request", request, response);
	});
}

function requestIdOf(request: IncomingMessage): string {
	return toRequestId(request.headers["x-request-id"]);
}

const setCommonHeaders: onRequestHookHandler = (request, reply, done) => {
	reply.header("x-request-id", request.id);
	reply.header("cache-control", "no-store");
	reply.header("x-content-type-options", "nosniff");
	done();
};

/** As late as can be: a request may have been running when the stop began, and its connection is idle after it. */
function closeWhileDraining(ctx: Context): onSendHookHandler {
	return (_request, reply, payload, done) => {
		if (ctx.isDraining) reply.header("connection", "close");
		done(null, payload);
	};
}

/** Refuses HTTP/1.1 without Host or with two (RFC 9112, 3.2); the server's own refusal would have no request id. */
const requireHost: onRequestHookHandler = (request, reply, done) => {
	const { headers, httpVersion } = request.raw;
	// Several headers are joined by commas, which no host contains.
	const isBad = headers.host?.includes(",") ?? httpVersion === "1.1";
	if (isBad) return sendRefusal(reply, { code: "bad_request" });
	done();
};

/** Bounds what a client occupies here, before anybody knows who it is. */
interface ConnectionLimits {
	/** Counts a new connection, and ends it when its address has too many. */
	readonly add: (socket: Socket) => void;
	/** False for a request beyond those that may wait for their responses: its connection is ended. */
	admit(request: IncomingMessage, response: ServerResponse): boolean;
	/** Responses that are not sent yet, in the order of their requests. */
	readonly pendingOn: (socket: Socket) => readonly ServerResponse[];
}

/** Requests of one connection whose responses are not read yet; clients that pipeline at all have fewer under way. */
const MAX_UNREAD = 16;
/**
 * Connections of an address that may be ended for that at once and each second; with more it gets no new ones for a
 * time, and those that it has may not pipeline.
 */
const OVERRUN_BURST = 10;
const OVERRUNS_PER_S = 1;
const SHUNNED_MS = 10_000;
const MAX_SHUNNED = 10_000;
/** Networks that the setting may name by a word. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
	loopback: ["127.0.0.0/8", "::1/128"],
	linklocal: ["169.254.0.0/16", "fe80::/10"],
	uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/**
 * @param trustedProxies addresses and networks, as the setting names them: any number of connections
 * @param perAddress connections of any other address
 */
function createConnectionLimits(
	trustedProxies: readonly string[],
	perAddress: number,
): ConnectionLimits {
	const proxies = toBlockList(trustedProxies);
	const perNetwork = new Map<string, number>();
	const pending = new WeakMap<Socket, Set<ServerResponse>>();
	const overruns = createAllowances({
		burst: OVERRUN_BURST,
		perSecond: OVERRUNS_PER_S,
	});
	const shunned = new LRUCache<string, true>({
		max: MAX_SHUNNED,
		ttl: SHUNNED_MS,
	});

	function mostUnread(socket: Socket): number {
		const network = networkOf(socket);
		return network !== undefined && shunned.has(network) ? 1 : MAX_UNREAD;
	}

	function endUnread(socket: Socket): void {
		const network = networkOf(socket);
		if (network !== undefined && overruns.take(network) > 0)
			shunned.set(network, true);
		stopParsing(socket);
		socket.destroy();
	}

	/** Undefined for a trusted proxy, behind which are many. */
	function networkOf({ remoteAddress }: Socket): string | undefined {
		if (remoteAddress === undefined || isIn(proxies, remoteAddress))
			return undefined;
		return clientNetwork(remoteAddress);
	}

	return {
		add(socket) {
			const network = networkOf(socket);
			if (network === undefined) return;
			const count = (perNetwork.get(network) ?? 0) + 1;
			if (count > perAddress || shunned.has(network)) {
				socket.destroy();
				return;
			}
			perNetwork.set(network, count);
			socket.once("close", () => {
				const left = (perNetwork.get(network) ?? 1) - 1;
				if (left > 0) perNetwork.set(network, left);
				else perNetwork.delete(network);
			});
		},
		admit({ socket }, response) {
			if (socket.destroyed) return false;
			const responses = pending.get(socket) ?? new Set();
			if (responses.size > 0 && responses.size >= mostUnread(socket)) {
				endUnread(socket);
				return false;
			}
			pending.set(socket, responses.add(response));
			response.once("close", () => responses.delete(response));
			return true;
		},
		pendingOn: (socket) => [...(pending.get(socket) ?? [])],
	};
}

/** What the parser is told of a request after which the bytes are no HTTP any more: it reads no further. */
const AFTER_UPGRADE = 2;

/** Of what has been read already the parser would make a request each, for nothing. */
function stopParsing(socket: Socket): void {
	const { parser } = socket as { parser?: { onIncoming: unknown } };
	if (parser) parser.onIncoming = () => AFTER_UPGRADE;
}

function toBlockList(addresses: readonly string[]): BlockList {
	const list = new BlockList();
	for (const text of addresses.flatMap((one) => NAMED[one] ?? [one])) {
		const [address = "", bits] = text.split("/");
		const family = isIPv6(address) ? "ipv6" : "ipv4";
		if (bits === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(bits), family);
	}
	return list;
}

function isIn(list: BlockList, address: string): boolean {
	const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
	return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}
