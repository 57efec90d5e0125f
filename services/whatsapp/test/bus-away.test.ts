import { uuidv7 } from "@airtower/platform/runtime/ids";
import { testDatabase } from "@airtower/platform/testing/database";
import { identitySettings } from "@airtower/platform/testing/identities";
import { keyRingText } from "@airtower/platform/testing/keys";
import { expect, onTestFinished, test } from "vitest";
import { readWhatsappConfig } from "../src/config.ts";
import { startWhatsapp } from "../src/service.ts";
import { clientsOf } from "./support/clients.ts";

/** Nobody listens there. */
const NOWHERE = "127.0.0.1:1";

test("the service starts, responds and stops while Kafka is away", async () => {
	const database = await testDatabase([]);
	onTestFinished(() => database.drop());
	const running = await startWhatsapp(
		readWhatsappConfig({
			DATABASE_URL: database.url,
			DATABASE_SCHEMA: database.schema,
			RPC_PORT: "0",
			OPS_PORT: "0",
			...identitySettings("whatsapp"),
			ENCRYPTION_KEYS: keyRingText(),
			EVENT_BUS: "kafka",
			KAFKA_BROKERS: NOWHERE,
			LOG_LEVEL: "fatal",
			WHATSAPP_API_BASE_URL: `http://${NOWHERE}`,
			WHATSAPP_APP_SECRET: "0123456789abcdef",
			WHATSAPP_VERIFY_TOKEN: "01234567",
		}),
	);
	const { whatsapp } = clientsOf(running.port);
	const response = await whatsapp.listConversations({
		organizationId: uuidv7(),
		page: { limit: 1 },
	});
	expect(response.conversations).toEqual([]);
	await running.close();
});
