import { join } from "node:path";
import type { ExtraEnv } from "../../start/system.ts";
import { type Balancers, balancedEnv } from "./balancers.ts";

/** Submits without a response that a process may have on a route: what one crash may send again. */
export const WINDOW = 10;
const TIMEOUT_S = "10";
export const SMPP_ROUTE = { window: String(WINDOW), timeout: TIMEOUT_S };
/** Of the routes beside the first one, by code. */
export const OTHER_ROUTES = {
	budget: SMPP_ROUTE,
	web: { connections: String(WINDOW), timeout: TIMEOUT_S },
} as const;

/** Of one service's process, by its name. */
export type Settings = ReturnType<typeof settingsOf>;

/** As in production, but that what waits for time alone does not make a run long. */
const MESSAGING = {
	UNKNOWN_WAIT_S: "4",
	DISPATCH_LEASE_MS: "5000",
	// From the second submit without a response on.
	UNKNOWN_DEADLINE_S: "20",
};
const WHATSAPP = { UNKNOWN_WAIT_S: "60" };
const ACCOUNTS = { RECONCILE_AFTER_S: "25" };
/** A balancer sees within it that a process is about to stop. */
const DRAIN_WAIT_S = "1";

/** The operators' own logs, in the folder of the system. */
export const SUBMIT_LOGS = {
	smsc: "submits.jsonl",
	"smsc-2": "submits-2.jsonl",
	"http-sms": "submits-http.jsonl",
} as const;

export function settingsOf(balancers: Balancers, dataDir: string) {
	const logOf = (name: keyof typeof SUBMIT_LOGS) =>
		join(dataDir, SUBMIT_LOGS[name]);
	const found: ExtraEnv = { ...balancedEnv(balancers), DRAIN_WAIT_S };
	return {
		gateway: found,
		campaigns: found,
		webhooks: found,
		whatsapp: { ...found, ...WHATSAPP },
		accounts: { ...found, ...ACCOUNTS },
		messaging: { ...found, ...MESSAGING },
		"messaging-delivery": { ...found, ...MESSAGING },
		smsc: { SMSC_LOG_FILE: logOf("smsc") },
		"smsc-2": { SMSC_LOG_FILE: logOf("smsc-2") },
		"http-sms": { HTTP_SMS_LOG_FILE: logOf("http-sms") },
	};
}
