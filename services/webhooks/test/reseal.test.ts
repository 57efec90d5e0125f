import { createHash } from "node:crypto";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import { parseKeyRing } from "@airtower/platform/sealing/key-ring";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { keyRingText } from "@airtower/platform/testing/keys";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import { SecretsService } from "@airtower/proto/ops/v1/secrets";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toStandardSecret } from "../src/domain/callback.ts";
import { sealedColumns } from "../src/store/sealed-columns.ts";
import { startReceiver } from "./support/receiver.ts";
import { startTestRpc } from "./support/rpc.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	outcomeEvent,
	takeIn,
} from "./support/stage.ts";

const OLD = keyRingText("old");
const NEW = keyRingText("new");

let database: TestDatabase;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());

it("a secret that was replaced signs on under the newest key alone, and its replacement is replayed", async () => {
	const receiver = await startReceiver();
	const before = await createStageContext(database, {
		ring: parseKeyRing(OLD),
	});
	const { id, organizationId, secret } = await addEndpoint(
		before,
		receiver.url,
	);
	const request = {
		organizationId,
		endpointId: id,
		idempotency: {
			key: "key-1",
			fingerprint: createHash("sha256").digest(),
		},
	};
	const rpcBefore = await startTestRpc(before);
	const rotated = await rpcBefore.webhooks.rotateSecret(request);
	await rpcBefore.close();

	const both = parseKeyRing(`${NEW},${OLD}`);
	const server = await serveRoutes("webhooks", [
		secretsRoute(database.sql, both, sealedColumns),
	]);
	const secrets = server.client(SecretsService);
	let left = 1n;
	while (left > 0n) {
		const batch = await secrets.resealSecrets({});
		expect(batch.resealed + Number(batch.left === 0n)).toBeGreaterThan(0);
		left = batch.left;
	}
	await server.close();

	const after = await createStageContext(database, { ring: parseKeyRing(NEW) });
	const rpcAfter = await startTestRpc(after);
	expect(await rpcAfter.webhooks.rotateSecret(request)).toEqual({
		...rotated,
		replayed: true,
	});
	await takeIn(after, [outcomeEvent(organizationId)]);
	await deliverAll(after);
	const [callback] = receiver.received;
	for (const signing of [toStandardSecret(secret), rotated.standardSecret])
		new Webhook(signing).verify(
			callback?.body ?? "",
			callback?.headers as Record<string, string>,
		);
	await rpcAfter.close();
	await after.poster.close();
	await receiver.close();
});
