import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { expect, test } from "vitest";
import { testKey, testSigner } from "../testing/identities.ts";
import { assertOrganization, callerOf } from "./caller.ts";
import { createRpcClient } from "./client.ts";
import { onBehalfOf } from "./on-behalf-of.ts";
import { failureOf, startServer } from "./testing/client.ts";
import { AUDIENCE, ORGANIZATION } from "./testing/server.ts";

const OTHER = "018f0000-0000-7000-8000-00000000ffff";
const page = { limit: 1 };

async function openClient() {
	const { port } = await startServer({
		webhooks: {
			listEndpoints: ({ organizationId }, context) => {
				assertOrganization(context, organizationId);
				return { endpoints: [{ id: callerOf(context).organization }] };
			},
		},
	});
	return createRpcClient({
		service: WebhooksService,
		audience: AUDIENCE,
		baseUrl: `http://127.0.0.1:${port}`,
		signer: testSigner(testKey("gateway")),
	});
}

test("calls carry the organization of the work that makes them, whatever runs beside it", async () => {
	const client = await openClient();
	const seen = [ORGANIZATION, OTHER, ORGANIZATION].map((organizationId) =>
		onBehalfOf(organizationId, async () => {
			const { endpoints } = await client.listEndpoints({
				organizationId,
				page,
			});
			return endpoints[0]?.id;
		}),
	);
	expect(await Promise.all(seen)).toEqual([ORGANIZATION, OTHER, ORGANIZATION]);
});

test("a request that names another organization than the work is for is refused", async () => {
	const client = await openClient();
	const mixedUp = onBehalfOf(ORGANIZATION, () =>
		client.listEndpoints({ organizationId: OTHER, page }),
	);
	expect(await failureOf(mixedUp)).toMatchObject({
		reason: "organization_mismatch",
	});
});
