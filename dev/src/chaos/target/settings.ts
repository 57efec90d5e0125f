import type { ExtraEnv } from "../../start/system.ts";
import { type Balancers, balancedEnv } from "./balancers.ts";

/** Submits without a response that a process may have: what one crash may send again. */
export const WINDOW = 10;
export const SMPP_ROUTE = { window: String(WINDOW), timeout: "10" };

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

export function settingsOf(balancers: Balancers, submitLog: string) {
	const found: ExtraEnv = { ...balancedEnv(balancers), DRAIN_WAIT_S };
	return {
		gateway: found,
		campaigns: found,
		webhooks: found,
		whatsapp: { ...found, ...WHATSAPP },
		accounts: { ...found, ...ACCOUNTS },
		messaging: { ...found, ...MESSAGING },
		"messaging-delivery": { ...found, ...MESSAGING },
		smsc: { SMSC_LOG_FILE: submitLog },
	};
}
