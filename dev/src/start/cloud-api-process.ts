import { join } from "node:path";
import type { PlannedAssembly } from "./assembly.ts";
import { answersOk } from "./ready-check.ts";
import type { ProcessSettings } from "./run-processes.ts";
import { localUrl, machineEnv } from "./service-env.ts";

/** What the look-alike calls the one number and the one business account that it has. */
export const cloudApiNumber = {
	phone: "+33700000001",
	providerPhoneNumberId: "100000000000001",
	providerAccountId: "200000000000001",
} as const;

/** The Cloud API look-alike, which posts its callbacks to the gateway. */
export function cloudApiSettings({
	plan,
	options,
}: PlannedAssembly): ProcessSettings {
	const { cloudApi, http } = plan.ports;
	return {
		main: new URL("../../../simulators/src/cloud-api/main.ts", import.meta.url),
		env: {
			...machineEnv(),
			PORT: String(cloudApi),
			CALLBACK_URL: `${localUrl(http)}/callbacks/whatsapp`,
			APP_SECRET: plan.secrets.whatsapp.appSecret,
			ACCESS_TOKEN: plan.secrets.whatsapp.accessToken,
			PHONE_NUMBER_ID: cloudApiNumber.providerPhoneNumberId,
			WABA_ID: cloudApiNumber.providerAccountId,
			INBOUND_FILE: join(options.dataDir, "whatsapp-inbound.jsonl"),
		},
		extraEnv: {},
		isReady: () => answersOk(`${localUrl(cloudApi)}/control/stats`),
	};
}
