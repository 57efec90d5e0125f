import type { SealedColumn } from "@airtower/platform/resealing/sealed-columns";

/** What the service stores sealed: the responses that contain a new key. */
export const sealedColumns: readonly SealedColumn[] = [
	{
		table: "idempotency_keys",
		column: "response",
		owner: "organization_id",
		contexts: (organizationId) => [`create-api-key ${organizationId}`],
		isMixed: true,
	},
];
