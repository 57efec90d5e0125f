import { AsyncLocalStorage } from "node:async_hooks";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { CallOptions, Client } from "@connectrpc/connect";
import type { TokenSigner } from "../identity/caller-token.ts";
import { ADMIN } from "../identity/jwk.ts";
import { accessOf } from "../rpc/access.ts";
import { createRpcClient, type RpcClientOptions } from "../rpc/client.ts";
import { onBehalfOf } from "../rpc/on-behalf-of.ts";
import { strangerKey, testKey, testSigner } from "./identities.ts";

export interface TestCaller {
	/** Whose key signs; by default that of the first issuer that a method serves. */
	readonly issuer?: string;
	/** By default the one that the request names, where the method is about one. */
	readonly organization?: string;
	/** Signs with a key of the right name that is not the issuer's. */
	readonly isStranger?: boolean;
}

type Options<S extends DescService> = TestCaller &
	Omit<RpcClientOptions<S>, "signer"> & { readonly signer?: TokenSigner };

type Call = (request: object, options?: CallOptions) => Promise<unknown>;

/** Longer than a busy machine takes, milliseconds: only a test of deadlines is about them. */
const CALL_TIMEOUT_MS = 30_000;

/** A client that calls each method as somebody whom its contract names, unless the test says otherwise. */
export function testRpcClient<S extends DescService>(
	options: Options<S>,
): Client<S> {
	const { organization, isStranger = false } = options;
	const issuers = new AsyncLocalStorage<string>();
	const signers = new Map<string, TokenSigner>();
	const signerOf = (issuer: string) => {
		const key = isStranger ? strangerKey(issuer) : testKey(issuer);
		const signer = signers.get(issuer) ?? testSigner(key);
		signers.set(issuer, signer);
		return signer;
	};
	const signer: TokenSigner = {
		tokenFor: (...about) =>
			signerOf(issuers.getStore() ?? "").tokenFor(...about),
	};
	const client = createRpcClient({
		timeoutMs: CALL_TIMEOUT_MS,
		signer,
		...options,
	}) as unknown as Record<string, Call>;
	const methods = options.service.methods.map((method) => {
		const issuer = options.issuer ?? accessOf(method).callers[0] ?? ADMIN;
		const call: Call = (request, callOptions) =>
			issuers.run(issuer, () =>
				onBehalfOf(
					organization ?? organizationIn(method, issuer, request),
					() => client[method.localName]?.(request, callOptions),
				),
			) as Promise<unknown>;
		return [method.localName, call] as const;
	});
	return Object.fromEntries(methods) as unknown as Client<S>;
}

function organizationIn(method: DescMethod, issuer: string, request: object) {
	if (issuer === ADMIN || accessOf(method).everyOrganization) return "*";
	const { organizationId } = request as { organizationId?: string };
	return organizationId || "*";
}
