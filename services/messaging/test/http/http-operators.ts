import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createAddressGuard } from "@airtower/platform/egress/address-guard";
import { systemResolver } from "@airtower/platform/egress/resolver";
import { silentLog } from "@airtower/platform/testing/log";
import type { Dialect } from "@airtower/simulators/http-sms/dialect";
import {
	type HttpSms,
	startHttpSms,
} from "@airtower/simulators/http-sms/http-sms";
import { infobipDialect } from "@airtower/simulators/http-sms/infobip";
import { twilioDialect } from "@airtower/simulators/http-sms/twilio";
import { vonageDialect } from "@airtower/simulators/http-sms/vonage";
import { onTestFinished } from "vitest";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type { PartResult } from "../../src/domain/submit-result.ts";
import type { HttpLimits } from "../../src/operators/http/availability.ts";
import { readReceipts } from "../../src/operators/http/callback-receipts.ts";
import type { Egress } from "../../src/operators/http/egress.ts";
import { createHttpOperator } from "../../src/operators/http/http-operator.ts";
import {
	type HttpRoute,
	parseHttpRoute,
} from "../../src/operators/http/http-route.ts";
import { isGenuine } from "../../src/operators/http/verify-callback.ts";
import type { Operator } from "../../src/operators/operator.ts";
import type { OutgoingMessage } from "../../src/operators/outgoing-message.ts";
import { holdAll, outgoing } from "../smpp/route.ts";

export type Preset = "twilio" | "vonage" | "infobip";
export const PRESETS: readonly Preset[] = ["twilio", "vonage", "infobip"];

const ACCOUNTS: Record<Preset, Record<string, string>> = {
	twilio: { account: "AC0123456789", token: "twilio-auth-token" },
	vonage: {
		account: "abcd1234",
		secret: "vonage-api-secret",
		signature: "vonage-signature-secret",
	},
	infobip: {
		apiKey: "infobip-api-key",
		callbackToken: "infobip-callback-token",
	},
};

const DIALECTS: Record<Preset, () => Dialect> = {
	twilio: () =>
		twilioDialect({
			accountSid: "AC0123456789",
			authToken: "twilio-auth-token",
		}),
	vonage: () =>
		vonageDialect({
			apiKey: "abcd1234",
			apiSecret: "vonage-api-secret",
			signatureSecret: "vonage-signature-secret",
		}),
	infobip: () => infobipDialect({ apiKey: "infobip-api-key" }),
};

/** The settings of a route to a look-alike. */
export function settingsOf(
	preset: Preset,
	address: string,
	callback: string,
): Record<string, string> {
	return { preset, address, callback, ...ACCOUNTS[preset] };
}

/** A look-alike. */
export function openLookAlike(preset: Preset): Promise<HttpSms> {
	return startHttpSms({ dialect: DIALECTS[preset]() });
}

/** A look-alike, closed after the test. */
async function startLookAlike(preset: Preset): Promise<HttpSms> {
	const lookAlike = await openLookAlike(preset);
	onTestFinished(() => lookAlike.close());
	return lookAlike;
}

interface HttpRouteOptions {
	readonly settings?: Record<string, string>;
	readonly limits?: Partial<HttpLimits>;
	readonly egress?: Partial<Egress>;
	/** What callbacks are responded to with once they are read; 200 by default. */
	readonly callbackStatus?: () => number;
}

export interface TestRoute {
	readonly operator: Operator;
	readonly lookAlike: HttpSms;
	readonly route: HttpRoute;
	/** Receipts of genuine callbacks, in order of arrival. */
	readonly receipts: Receipt[];
	submit(message?: Partial<OutgoingMessage>): Promise<readonly PartResult[]>;
}

const TEST_LIMITS: Partial<HttpLimits> = {
	throttleMinMs: 50,
	unreachableMinMs: 20,
	unreachableMaxMs: 50,
};

/** A route to a look-alike of its own whose callbacks are verified and read here, all stopped after the test. */
export async function startHttpRoute(
	preset: Preset,
	options: HttpRouteOptions = {},
): Promise<TestRoute> {
	const lookAlike = await startLookAlike(preset);
	const receipts: Receipt[] = [];
	const server = createServer(async (request, response) => {
		const callback = {
			method: request.method === "GET" ? "GET" : "POST",
			query: request.url?.split("?")[1] ?? "",
			headers: request.headers as Record<string, string>,
			body: await buffer(request),
		} as const;
		const isOurs = isGenuine(callback, route);
		if (isOurs) receipts.push(...readReceipts(callback, route).receipts);
		response
			.writeHead(isOurs ? (options.callbackStatus?.() ?? 200) : 401)
			.end();
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const route = parseHttpRoute(preset, {
		...settingsOf(preset, lookAlike.url, `http://127.0.0.1:${port}/receipts`),
		...options.settings,
	});
	const operator = createHttpOperator({
		route,
		log: silentLog,
		egress: { ...localEgress(), ...options.egress },
		limits: { ...TEST_LIMITS, ...options.limits },
	});
	onTestFinished(() => operator.close());
	operator.start({ onReceipt: async () => {}, onMessage: async () => {} });
	holdAll(operator);
	return {
		operator,
		lookAlike,
		route,
		receipts,
		submit: async (message = {}) =>
			(await operator.submit(outgoing(message))).parts,
	};
}

/** As a deployment that may call hosts of its own network. */
export function localEgress(allowPrivateAddresses = true): Egress {
	const rules = { allowPrivateAddresses, blockedNetworks: [] };
	return {
		guard: createAddressGuard({ resolve: systemResolver, rules }),
		blockedPorts: [],
		allowHttp: true,
	};
}
