import { randomUUID } from "node:crypto";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { TestAccounts } from "./accounts.ts";

/** A new organization with that much quota; returns its id. */
export async function organizationWith(
	service: Pick<TestAccounts, "admin">,
	units = 0,
): Promise<string> {
	const { organization } = await service.admin.createOrganization({
		name: `Organization ${randomUUID()}`,
		email: "owner@example.com",
	});
	const organizationId = organization?.id ?? "";
	if (units > 0)
		await service.admin.grantQuota({
			organizationId,
			units: BigInt(units),
			grantId: randomUUID(),
		});
	return organizationId;
}

/** Reservations of one organization, as messaging asks for them. */
export function reservationsOf(organizationId: string, count: number) {
	return Array.from({ length: count }, () => ({
		organizationId,
		messageId: uuidv7(),
		channel: "sms",
	}));
}

/** The balance, as an operator reads it. */
export async function balanceOf(
	service: Pick<TestAccounts, "admin">,
	organizationId: string,
): Promise<number> {
	const { organization } = await service.admin.getOrganization({
		organizationId,
	});
	return Number(organization?.balance);
}
