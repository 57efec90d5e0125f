import {
	create,
	type DescMessage,
	type DescMethodUnary,
	type DescService,
	fromBinary,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";
import {
	type Client,
	Code,
	ConnectError,
	createClient,
	type Transport,
} from "@connectrpc/connect";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import type { TokenSigner } from "../identity/caller-token.ts";
import { currentRequestId } from "../runtime/request-context.ts";
import { TRACEPARENT_HEADER, traceCall } from "../tracing/trace-calls.ts";
import { Addresses } from "./http/addresses.ts";
import type { KeepAlive } from "./http/connection.ts";
import { callUnary, type UnaryReply } from "./http/unary-call.ts";
import { REQUEST_ID_HEADER } from "./observe-calls.ts";
import { currentOrganization } from "./on-behalf-of.ts";
import type { TlsSource } from "./tls.ts";

export { domainErrorFrom } from "./error-codec.ts";

/** Time a call may take unless its caller says otherwise, milliseconds. */
const CALL_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 8 * 1_048_576;
/** What is frozen or cut off is noticed within the sum of both, ms. */
const KEEP_ALIVE = { pingIntervalMs: 2_000, pingTimeoutMs: 2_000 };
const CONTENT_TYPE = "application/proto";

export interface RpcClientOptions<S extends DescService> {
	readonly service: S;
	/** One, or several joined by commas. */
	readonly baseUrl: string;
	readonly signer: TokenSigner;
	readonly audience: string;
	/** Milliseconds; 5,000 by default. */
	readonly timeoutMs?: number;
	readonly tls?: TlsSource | undefined;
	readonly keepAlive?: KeepAlive;
	/** The addresses behind the name in `baseUrl`; asks the resolver by default. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** A call has a deadline and is repeated only when no server has seen it. Failures: {@link domainErrorFrom}. */
export function createRpcClient<S extends DescService>(
	options: RpcClientOptions<S>,
): Client<S> {
	return createClient(options.service, createTransport(options));
}

/** The Connect protocol for unary calls. The library's own transport costs a call three times the CPU time. */
function createTransport(options: RpcClientOptions<DescService>): Transport {
	const { baseUrl, keepAlive = KEEP_ALIVE, tls, resolve } = options;
	const addresses = new Addresses(baseUrl.split(","), {
		keepAlive,
		tls,
		...(resolve && { resolve }),
	});
	return {
		async unary(method, signal, timeoutMs = options.timeoutMs, _header, input) {
			const message = toBinary(method.input, create(method.input, input));
			const limitMs = timeoutMs ?? CALL_TIMEOUT_MS;
			const reply = await traceCall(method, (traceparent) =>
				callUnary(
					addresses,
					{
						path: `/${method.parent.typeName}/${method.name}`,
						body: message,
						headers: () => headersOf(options, limitMs, traceparent),
					},
					{ timeoutMs: limitMs, maxBytes: MAX_MESSAGE_BYTES, signal },
				),
			);
			return {
				stream: false,
				service: method.parent,
				method,
				header: NO_HEADERS,
				trailer: NO_HEADERS,
				message: readMessage(method, reply),
			};
		},
		stream() {
			throw new Error("No service of ours streams.");
		},
	};
}

const NO_HEADERS = new Headers();

async function headersOf(
	{ signer, audience }: RpcClientOptions<DescService>,
	timeoutMs: number,
	traceparent: string | undefined,
) {
	const token = await signer.tokenFor(audience, currentOrganization());
	const requestId = currentRequestId();
	return {
		"content-type": CONTENT_TYPE,
		"connect-protocol-version": "1",
		"connect-timeout-ms": String(timeoutMs),
		authorization: `Bearer ${token}`,
		...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
		...(traceparent !== undefined && { [TRACEPARENT_HEADER]: traceparent }),
	};
}

function readMessage<O extends DescMessage>(
	{ output }: DescMethodUnary<DescMessage, O>,
	{ headers, body }: UnaryReply,
): MessageShape<O> {
	const { ":status": status, "content-type": type } = headers;
	if (Number(status) === 200 && type === CONTENT_TYPE)
		return fromBinary(output, body);
	const fallback = new ConnectError(
		`the response has HTTP status ${status}`,
		Code.Unavailable,
	);
	throw errorFromJsonBytes(body, undefined, fallback);
}
