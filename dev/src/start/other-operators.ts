import { join } from "node:path";
import { machineEnv } from "./machine-env.ts";
import { PASSWORD, ROUTE_CODE, SYSTEM_ID } from "./simulators.ts";
import type { ExtraEnv } from "./system.ts";
import { localUrl, type SystemPlan, type SystemPorts } from "./system-plan.ts";

/** An operator that is simulated beside the first one, and the route to it. */
export interface SimulatedOperator {
	readonly code: string;
	/** How it treats messages, for whoever tries it. */
	readonly manner: string;
	readonly process: "smsc-2" | "http-sms";
	readonly main: string;
	env(ports: SystemPorts, dataDir: string): ExtraEnv;
	readyUrl(ports: SystemPorts): string;
	controlUrl(ports: SystemPorts): string;
	readonly kind: "smpp" | "http";
	/** As `routes add` takes them, secrets too. */
	settings(ports: SystemPorts): Record<string, string> & { address: string };
	/** Added with the route, and an admin's from then on. */
	readonly rules: readonly Rule[];
}

interface Rule {
	readonly prefix: string;
	readonly route: string;
	readonly priority: number;
	readonly weight: number;
}

/** Submits, or requests, without a response that each of them allows. */
const WINDOW = 10;
const SUBMITS_PER_SECOND = 50;
const RECEIPT_DELAY_MS = 2_000;
const HTTP_ACCOUNT = "airtower";
const HTTP_SECRET = "simulated-secret";
const HTTP_SIGNATURE = "simulated-signature";

const budget: SimulatedOperator = {
	code: "budget",
	manner:
		`SMPP, ${SUBMITS_PER_SECOND} messages/s, ids hexadecimal in responses and decimal in receipts, ` +
		`which come after ${RECEIPT_DELAY_MS / 1_000} s`,
	process: "smsc-2",
	main: "simulators/src/smsc/main.ts",
	env: (ports, dataDir) => ({
		...machineEnv(),
		SMSC_PORT: String(ports.secondSmpp),
		SMSC_CONTROL_PORT: String(ports.secondSmscControl),
		SMSC_SYSTEM_ID: SYSTEM_ID,
		SMSC_PASSWORD: PASSWORD,
		SMSC_RECEIPTS_FILE: join(dataDir, "smsc-2-receipts.jsonl"),
		SMSC_ANSWER_IDS: "hex",
		SMSC_RECEIPT_IDS: "dec",
		SMSC_RECEIPT_STYLE: "text",
		SMSC_RECEIPT_DELAY_MS: String(RECEIPT_DELAY_MS),
	}),
	readyUrl: (ports) => `${localUrl(ports.secondSmscControl)}/stats`,
	controlUrl: (ports) => localUrl(ports.secondSmscControl),
	kind: "smpp",
	settings: (ports) => ({
		address: `smpp://${SYSTEM_ID}@127.0.0.1:${ports.secondSmpp}`,
		password: PASSWORD,
		// Its message ids are its own, though it has the user and host of the first.
		account: "budget",
		ids: "hex-dec",
		long: "sar",
		rate: String(SUBMITS_PER_SECOND),
		window: String(WINDOW),
	}),
	rules: [
		{ prefix: "", route: ROUTE_CODE, priority: 1, weight: 2 },
		{ prefix: "", route: "budget", priority: 1, weight: 1 },
	],
};

const web: SimulatedOperator = {
	code: "web",
	manner: "HTTP, like Vonage, with signed callbacks",
	process: "http-sms",
	main: "simulators/src/http-sms/main.ts",
	env: ({ httpSms }) => ({
		...machineEnv(),
		HTTP_SMS_PORT: String(httpSms),
		HTTP_SMS_DIALECT: "vonage",
		HTTP_SMS_ACCOUNT: HTTP_ACCOUNT,
		HTTP_SMS_SECRET: HTTP_SECRET,
		HTTP_SMS_SIGNATURE: HTTP_SIGNATURE,
	}),
	readyUrl: ({ httpSms }) => `${localUrl(httpSms)}/control/sends`,
	controlUrl: ({ httpSms }) => localUrl(httpSms),
	kind: "http",
	settings: ({ httpSms, http }) => ({
		preset: "vonage",
		address: localUrl(httpSms),
		callback: `${localUrl(http)}/callbacks/sms/web`,
		account: HTTP_ACCOUNT,
		secret: HTTP_SECRET,
		signature: HTTP_SIGNATURE,
		connections: String(WINDOW),
	}),
	rules: [
		{ prefix: "+44", route: "web", priority: 1, weight: 1 },
		{ prefix: "+44", route: ROUTE_CODE, priority: 2, weight: 1 },
	],
};

/** In the order in which `npm start -- --routes` adds them to the first. */
export const otherOperators: readonly SimulatedOperator[] = [budget, web];

/** Those of this start. */
export function startedOperators({ routes }: SystemPlan) {
	return otherOperators.slice(0, routes - 1);
}
