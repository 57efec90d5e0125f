import { join } from "node:path";
import { machineEnv } from "./machine-env.ts";
import type { ExtraEnv } from "./system.ts";
import { localUrl, type SystemPlan } from "./system-plan.ts";

export const SYSTEM_ID = "airtower";
export const PASSWORD = "simulate";
/** What the API's responses name as the provider. */
export const ROUTE_CODE = "simulator";

/** What the Cloud API look-alike calls the one number and the one business account that it has. */
export const cloudApiNumber = {
	phone: "+33700000001",
	providerPhoneNumberId: "100000000000001",
	providerAccountId: "200000000000001",
} as const;

export function smscRoute(
	port: number,
	query: Readonly<Record<string, string>> = {},
): string {
	const url = new URL(`smpp://${SYSTEM_ID}:${PASSWORD}@127.0.0.1:${port}`);
	for (const [name, value] of Object.entries({ code: ROUTE_CODE, ...query }))
		url.searchParams.set(name, value);
	return url.href;
}

export function smscEnv({ ports }: SystemPlan, dataDir: string): ExtraEnv {
	return {
		...machineEnv(),
		SMSC_PORT: String(ports.smpp),
		SMSC_CONTROL_PORT: String(ports.smscControl),
		SMSC_SYSTEM_ID: SYSTEM_ID,
		SMSC_PASSWORD: PASSWORD,
		SMSC_RECEIPTS_FILE: join(dataDir, "smsc-receipts.jsonl"),
	};
}

export function cloudApiEnv(
	{ ports, secrets }: SystemPlan,
	dataDir: string,
): ExtraEnv {
	return {
		...machineEnv(),
		PORT: String(ports.cloudApi),
		CALLBACK_URL: `${localUrl(ports.http)}/callbacks/whatsapp`,
		APP_SECRET: secrets.whatsapp.appSecret,
		ACCESS_TOKEN: secrets.whatsapp.accessToken,
		PHONE_NUMBER_ID: cloudApiNumber.providerPhoneNumberId,
		WABA_ID: cloudApiNumber.providerAccountId,
		INBOUND_FILE: join(dataDir, "whatsapp-inbound.jsonl"),
	};
}
