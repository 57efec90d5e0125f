import { type Tx, transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	AccountsAdminService,
	GrantQuotaRequest,
} from "@airtower/proto/accounts/v1/admin";
import { hasControlCharacters } from "../../domain/text.ts";
import {
	conflict,
	invalid,
	notPlainText,
	unknownOrganization,
} from "../../errors.ts";
import { publishChange } from "../../publish-change.ts";
import {
	lockBalances,
	MAX_BALANCE,
	updateBalances,
} from "../../store/balances.ts";
import {
	findGrant,
	type GrantRow,
	insertLedgerEntries,
} from "../../store/ledger-entries.ts";
import type { Handler } from "../handler.ts";

interface Grant {
	readonly organizationId: string;
	readonly grantId: string;
	/** Never 0; negative takes away. */
	readonly units: number;
	readonly note: string | null;
}

/**
 * Changes a balance once per grant id; a repeated call returns the balance after the first.
 * Throws not_found unknown_organization, conflict balance_would_be_negative, grant_id_reused.
 */
export const grantQuota: Handler<
	typeof AccountsAdminService.method.grantQuota
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const grant = readGrant(request);
	const balance = await transaction(ctx.sql, async (sql) => {
		const [locked] = await lockBalances(sql, [grant.organizationId]);
		if (locked === undefined) throw unknownOrganization();
		const earlier = await findGrant(sql, grant.organizationId, grant.grantId);
		if (earlier !== undefined) return repeat(earlier, grant);
		const balanceAfter = changed(locked.balance, grant.units);
		await apply(sql, grant, balanceAfter);
		return balanceAfter;
	});
	ctx.wakeRelay();
	return { balance: BigInt(balance) };
};

function readGrant(request: GrantQuotaRequest): Grant {
	const { units, note } = request;
	if (units > BigInt(MAX_BALANCE) || units < -BigInt(MAX_BALANCE))
		throw invalid(
			"validation_failed",
			"units",
			`Field units: must be at most ${MAX_BALANCE}.`,
		);
	if (hasControlCharacters(note)) throw notPlainText("note");
	return {
		organizationId: request.organizationId.toLowerCase(),
		grantId: request.grantId.toLowerCase(),
		units: Number(units),
		note: note === "" ? null : note,
	};
}

function repeat(earlier: GrantRow, grant: Grant): number {
	if (earlier.units === grant.units) return earlier.balanceAfter;
	throw conflict(
		"grant_id_reused",
		"This grant id was used for another number of units; use a new one.",
	);
}

function changed(balance: number, units: number): number {
	const balanceAfter = balance + units;
	if (balanceAfter < 0)
		throw conflict(
			"balance_would_be_negative",
			`The balance is ${balance}: no more than that can be taken away.`,
		);
	if (balanceAfter > MAX_BALANCE)
		throw invalid(
			"validation_failed",
			"units",
			`Field units: the balance would exceed ${MAX_BALANCE}.`,
		);
	return balanceAfter;
}

async function apply(
	sql: Tx,
	grant: Grant,
	balanceAfter: number,
): Promise<void> {
	await insertLedgerEntries(sql, [
		{
			...grant,
			kind: grant.units > 0 ? "grant" : "adjustment",
			balanceAfter,
		},
	]);
	await updateBalances(sql, new Map([[grant.organizationId, balanceAfter]]));
	if (grant.units > 0)
		await publishChange(sql, grant.organizationId, {
			case: "quotaGranted",
			value: { balance: BigInt(balanceAfter), units: BigInt(grant.units) },
		});
}
