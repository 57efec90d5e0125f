import { transaction } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { sealSecret } from "@airtower/platform/sealing/sealed-secret";
import {
	resumeGroup,
	suspendGroup,
} from "@airtower/platform/work/suspended-groups";
import { expireUnsent } from "../../../src/store/dispatch/dispatch.ts";
import {
	insertPhoneNumber,
	removeNumber,
	renewNumber,
} from "../../../src/store/phone-numbers.ts";
import { suspendedOrganizations } from "../../../src/store/suspended-organizations.ts";
import type { Line, World } from "./world.ts";

export async function hold(world: World): Promise<void> {
	const id = world.pick(world.organizations);
	if (id === undefined) return;
	await suspendGroup(world.database.sql, suspendedOrganizations, id);
	world.held.add(id);
}

export async function release(world: World): Promise<void> {
	for (const id of world.held)
		await resumeGroup(world.database.sql, suspendedOrganizations, id);
	world.held.clear();
}

/** A number gets a new token, and goes to work again. */
export async function renew(world: World, line?: Line): Promise<void> {
	if (line?.owner === undefined) return;
	const { organizationId, id } = line.owner;
	line.token = `token at ${world.now}`;
	const accessToken = sealSecret(world.ring, line.token, id);
	const number = {
		organizationId,
		id,
		accessToken,
		providerAccountId: "account",
	};
	await transaction(world.database.sql, (sql) => renewNumber(sql, number));
}

export async function remove(world: World): Promise<void> {
	const line = world.pick(world.lines);
	if (line?.owner === undefined) return;
	const { organizationId, id } = line.owner;
	line.owner = undefined;
	await transaction(world.database.sql, async (sql) => {
		await removeNumber(sql, organizationId, id);
		await expireUnsent(sql, id);
	});
}

export async function register(world: World): Promise<void> {
	const line = world.pick(world.lines.filter((one) => one.owner === undefined));
	const organizationId = world.pick(world.organizations);
	if (line !== undefined && organizationId !== undefined)
		await giveLine(world, line, organizationId);
}

/** A number becomes an organization's, by the provider's clock. */
export async function giveLine(
	world: World,
	line: Line,
	organizationId: string,
): Promise<void> {
	const id = uuidv7();
	line.owner = { organizationId, id };
	line.token = `token of ${world.now}`;
	const accessToken = sealSecret(world.ring, line.token, id);
	await transaction(world.database.sql, async (sql) => {
		await insertPhoneNumber(sql, {
			...{ id, organizationId, accessToken, phone: line.phone },
			providerPhoneNumberId: line.providerId,
			providerAccountId: "account",
		});
		await sql`
			update phone_numbers
			set created_at = to_timestamp(${world.now + 1})
			where id = ${id}
		`;
	});
}
