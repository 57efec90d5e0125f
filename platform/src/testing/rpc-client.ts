import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { createRpcClient, type RpcClientOptions } from "../rpc/client.ts";

/** Longer than a busy machine takes, milliseconds: only a test of deadlines is about them. */
const CALL_TIMEOUT_MS = 30_000;

export function testRpcClient<S extends DescService>(
	options: RpcClientOptions<S>,
): Client<S> {
	return createRpcClient({ timeoutMs: CALL_TIMEOUT_MS, ...options });
}
