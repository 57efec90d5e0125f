/** Organizations whose messages wait, because an admin has put them on hold. */
export const suspendedOrganizations = {
	table: "suspended_organizations",
	group: "organization_id",
} as const;
