import type { SealedColumn } from "@airtower/platform/resealing/sealed-columns";

/** What a route's settings are sealed with. */
export const routeContext = (code: string): string => `route ${code}`;

/** What the service stores sealed. */
export const sealedColumns: readonly SealedColumn[] = [
	{
		table: "routes",
		column: "settings",
		owner: "code",
		contexts: (code) => [routeContext(code)],
	},
	{
		table: "route_tests",
		column: "settings",
		owner: "route",
		contexts: (code) => [routeContext(code)],
	},
];
