import type { SealedColumn } from "@airtower/platform/resealing/sealed-columns";

/** What the service stores sealed: signing secrets, and the responses that contain one. */
export const sealedColumns: readonly SealedColumn[] = [
	{
		table: "endpoints",
		column: "secret",
		owner: "id",
		contexts: (endpointId) => [endpointId],
	},
	{
		table: "retired_secrets",
		column: "secret",
		owner: "endpoint_id",
		contexts: (endpointId) => [endpointId],
	},
	{
		table: "idempotency_keys",
		column: "response",
		owner: "organization_id",
		contexts: (organizationId) => [
			`create-endpoint ${organizationId}`,
			`rotate-secret ${organizationId}`,
		],
		isMixed: true,
	},
];
