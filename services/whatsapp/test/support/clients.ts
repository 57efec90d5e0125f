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
