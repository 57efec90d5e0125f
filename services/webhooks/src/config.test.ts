import { keyRingText } from "@airtower/platform/testing/keys";
import { expect, it } from "vitest";
import { readWebhooksConfig } from "./config.ts";

const ENV = {
	DATABASE_URL: "postgres://127.0.0.1/airtower",
	RPC_PORT: "0",
	OPS_PORT: "0",
	EVENT_BUS: "postgres",
	CALLER_TOKEN_KEYS: keyRingText(),
	ENCRYPTION_KEYS: keyRingText(),
};

it("plain http and private addresses are off unless they are asked for", () => {
	expect(readWebhooksConfig(ENV)).toMatchObject({
		ALLOW_HTTP_WEBHOOKS: false,
		ALLOW_PRIVATE_WEBHOOK_ADDRESSES: false,
	});
});

it("every bad setting is named at once, and no secret with it", () => {
	const bad = {
		...ENV,
		ENCRYPTION_KEYS: "secret",
		ALLOW_HTTP_WEBHOOKS: "yes",
		MAX_IN_FLIGHT: "0",
	};
	expect(() => readWebhooksConfig(bad)).toThrow(
		/^(?!.*secret).*ENCRYPTION_KEYS.*ALLOW_HTTP_WEBHOOKS.*MAX_IN_FLIGHT/,
	);
});
