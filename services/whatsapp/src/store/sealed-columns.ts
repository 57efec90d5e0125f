import type { SealedColumn } from "@airtower/platform/resealing/sealed-columns";

/** What the service stores sealed: access tokens. */
export const sealedColumns: readonly SealedColumn[] = [
	{
		table: "phone_numbers",
		column: "access_token",
		owner: "id",
		contexts: (phoneNumberId) => [phoneNumberId],
	},
];
