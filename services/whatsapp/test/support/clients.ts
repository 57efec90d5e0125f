import {
	type CallerRole,
	createTokenSigner,
	type TokenSigner,
} from "@airtower/platform/rpc/caller-token";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { keyRingText, testKeyRing } from "@airtower/platform/testing/keys";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";

/** Signs with a key of the right name that is not the services'. */
const stranger = createTokenSigner({
	ring: parseKeyRing(keyRingText(testKeyRing.current.id)),
	issuer: "test",
	role: "admin",
});

/** Clients of a running service. */
export function clientsOf(rpcPort: number) {
	const clientOf = <S extends DescService>(
		service: S,
		signer: TokenSigner,
		organization = "*",
	) =>
		testRpcClient({
			...{ service, signer, organization },
			baseUrl: `http://127.0.0.1:${rpcPort}`,
			audience: "whatsapp",
		});
	return {
		whatsapp: clientOf(WhatsAppService, signerOf("service")),
		admin: clientOf(WhatsAppAdminService, signerOf("admin")),
		serviceAdmin: clientOf(WhatsAppAdminService, signerOf("service")),
		strangerWhatsapp: clientOf(WhatsAppService, stranger),
		whatsappOf: (organization: string) =>
			clientOf(WhatsAppService, signerOf("service"), organization),
	};
}

export type Clients = ReturnType<typeof clientsOf>;

function signerOf(role: CallerRole): TokenSigner {
	return createTokenSigner({ ring: testKeyRing, issuer: "test", role });
}

/** Why a call was refused, in the words of the service; fails when it gave none. */
export async function refusalOf(
	call: Promise<unknown>,
): Promise<{ reason: string; kind: string }> {
	const refusal = domainErrorFrom(await errorOf(call));
	if (refusal === undefined) throw new Error("No reason was given.");
	return { reason: refusal.reason, kind: refusal.kind };
}

export function errorOf(call: Promise<unknown>): Promise<unknown> {
	return call.then(
		() => {
			throw new Error("The call was not refused.");
		},
		(error: unknown) => error,
	);
}
