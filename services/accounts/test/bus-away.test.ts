import { testDatabase } from "@airtower/platform/testing/database";
import { expect, onTestFinished, test } from "vitest";
import { readAccountsConfig } from "../src/config.ts";
import { startAccounts } from "../src/service.ts";
import { authenticate, issue } from "./support/api-keys.ts";
import { clientsOf } from "./support/clients.ts";
import { organizationWith } from "./support/organizations.ts";
import { settingsFor } from "./support/settings.ts";

/** Nobody listens there. */
const NOWHERE = "127.0.0.1:1";

test("the service starts, responds and stops while Kafka is away", async () => {
	const database = await testDatabase([]);
	onTestFinished(() => database.drop());
	const running = await startAccounts(
		readAccountsConfig(
			settingsFor(database, `http://${NOWHERE}`, {
				EVENT_BUS: "kafka",
				KAFKA_BROKERS: NOWHERE,
			}),
		),
	);
	const clients = clientsOf(running.port);
	const organizationId = await organizationWith(clients);
	const { apiKeyId, secret } = await issue(clients, organizationId);
	expect(await authenticate(clients.accounts, [secret])).toEqual([apiKeyId]);
	await running.close();
});
