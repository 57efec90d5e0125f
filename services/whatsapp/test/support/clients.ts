import { domainErrorFrom } from "@airtower/platform/rpc/client";
import {
	type TestCaller,
	testRpcClient,
} from "@airtower/platform/testing/rpc-client";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";

/** Clients of a running service. */
export function clientsOf(rpcPort: number) {
	const clientOf = <S extends DescService>(service: S, caller?: TestCaller) =>
		testRpcClient({
			service,
			...caller,
			baseUrl: `http://127.0.0.1:${rpcPort}`,
			audience: "whatsapp",
		});
	return {
		whatsapp: clientOf(WhatsAppService),
		admin: clientOf(WhatsAppAdminService),
		serviceAdmin: clientOf(WhatsAppAdminService, { issuer: "gateway" }),
		strangerWhatsapp: clientOf(WhatsAppService, { isStranger: true }),
		whatsappOf: (organization: string) =>
			clientOf(WhatsAppService, { organization }),
	};
}

export type Clients = ReturnType<typeof clientsOf>;

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
