import type { DescService } from "@bufbuild/protobuf";
import {
	type Client,
	createClient,
	type Interceptor,
} from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type { TokenSigner } from "../identity/caller-token.ts";
import { currentRequestId } from "../runtime/request-context.ts";
import { traceCalls } from "../tracing/trace-calls.ts";
import { SharedCalls } from "./http/shared-calls.ts";
import { REQUEST_ID_HEADER } from "./observe-calls.ts";
import { currentOrganization } from "./on-behalf-of.ts";
import { resendNeverSeen } from "./resend.ts";
import type { TlsSource } from "./tls.ts";

export { domainErrorFrom } from "./error-codec.ts";

/** Time a call may take unless its caller says otherwise, milliseconds. */
const CALL_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 8 * 1_048_576;
/** When a silent connection is asked for a sign of life, and how long it may take; milliseconds. */
const KEEP_ALIVE = { pingIntervalMs: 10_000, pingTimeoutMs: 5_000 };

export interface RpcClientOptions<S extends DescService> {
	readonly service: S;
	/** One, or several joined by commas. */
	readonly baseUrl: string;
	readonly signer: TokenSigner;
	readonly audience: string;
	/** Milliseconds; 5,000 by default. */
	readonly timeoutMs?: number;
	readonly tls?: TlsSource | undefined;
	readonly keepAlive?: typeof KEEP_ALIVE;
	/** The addresses behind the name in `baseUrl`; asks the resolver by default. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** A call has a deadline and is repeated only when no server has seen it. Failures: {@link domainErrorFrom}. */
export function createRpcClient<S extends DescService>(
	options: RpcClientOptions<S>,
): Client<S> {
	const {
		service,
		baseUrl,
		timeoutMs = CALL_TIMEOUT_MS,
		keepAlive = KEEP_ALIVE,
		tls,
		resolve,
	} = options;
	const [firstUrl = baseUrl, ...otherUrls] = baseUrl.split(",");
	const sessionManager = new SharedCalls([firstUrl, ...otherUrls], {
		...{ keepAlive, tls },
		...(resolve && { resolve }),
	});
	const transport = createConnectTransport({
		baseUrl: firstUrl,
		httpVersion: "2",
		sessionManager,
		acceptCompression: [],
		readMaxBytes: MAX_MESSAGE_BYTES,
		writeMaxBytes: MAX_MESSAGE_BYTES,
		defaultTimeoutMs: timeoutMs,
		interceptors: [traceCalls, resendNeverSeen, addHeaders(options)],
	});
	return createClient(service, transport);
}

function addHeaders({
	signer,
	audience,
}: RpcClientOptions<DescService>): Interceptor {
	return (next) => async (req) => {
		const token = await signer.tokenFor(audience, currentOrganization());
		req.header.set("authorization", `Bearer ${token}`);
		const requestId = currentRequestId();
		if (requestId !== undefined) req.header.set(REQUEST_ID_HEADER, requestId);
		return next(req);
	};
}
