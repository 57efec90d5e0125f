import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import {
	Code,
	ConnectError,
	type ConnectRouter,
	createClient,
	createRouterTransport,
} from "@connectrpc/connect";
import type { AccountsClient } from "../../src/context.ts";

/** The accounts service as messaging sees it: balances and one reservation per message. */
export interface Ledger {
	readonly client: AccountsClient;
	/** Balance by organization; one that is absent is unknown to the ledger. */
	readonly balances: Map<string, number>;
	/** Reservations that stand, message id to organization. */
	readonly reserved: Map<string, string>;
	/** Organizations that may not send. */
	readonly suspended: Set<string>;
	/** Calls of ReserveQuota so far. */
	reserveCalls: number;
	/** While true, every call is refused as unavailable. */
	down: boolean;
	/** Runs before the response to a reservation. */
	beforeResponse: () => Promise<void>;
}

export function createLedger(): Ledger {
	const ledger: Ledger = {
		client: createClient(
			AccountsService,
			createRouterTransport((router) => routeLedger(router, () => ledger)),
		),
		balances: new Map(),
		reserved: new Map(),
		suspended: new Set(),
		reserveCalls: 0,
		down: false,
		beforeResponse: async () => {},
	};
	return ledger;
}

/** Registers the ledger as the accounts service. */
export function routeLedger(router: ConnectRouter, ledgerOf: () => Ledger) {
	router.service(AccountsService, {
		async reserveQuota({ reservations }) {
			const ledger = ledgerOf();
			assertUp(ledger);
			ledger.reserveCalls++;
			const results = reservations.map((one) => ({
				result: reserve(ledger, one.organizationId, one.messageId),
			}));
			await ledger.beforeResponse();
			return { results };
		},
		previewQuota({ organizationIds }) {
			const ledger = ledgerOf();
			assertUp(ledger);
			return {
				results: organizationIds.map((id) => ({
					reservation: { result: decide(ledger, id) },
					remaining: BigInt(ledger.balances.get(id) ?? 0),
				})),
			};
		},
		releaseQuota({ releases }) {
			const ledger = ledgerOf();
			assertUp(ledger);
			const released = releases.filter((one) => release(ledger, one));
			return { released: released.length };
		},
	});
}

function assertUp(ledger: Ledger): void {
	if (ledger.down) throw new ConnectError("down", Code.Unavailable);
}

function reserve(ledger: Ledger, organizationId: string, messageId: string) {
	const decision = decide(ledger, organizationId);
	if (decision.case === "refused") return decision;
	ledger.balances.set(organizationId, Number(decision.value.remaining));
	ledger.reserved.set(messageId, organizationId);
	return decision;
}

function decide(ledger: Ledger, organizationId: string) {
	const balance = ledger.balances.get(organizationId);
	if (balance === undefined) return refused("unknown_organization");
	if (ledger.suspended.has(organizationId))
		return refused("organization_suspended");
	if (balance === 0) return refused("quota_exhausted");
	const value = { remaining: BigInt(balance - 1) };
	return { case: "granted" as const, value };
}

function refused(reason: string) {
	const value = { reason, field: "", message: `${reason}.` };
	return { case: "refused" as const, value };
}

function release(
	ledger: Ledger,
	{ messageId }: { messageId: string },
): boolean {
	const organizationId = ledger.reserved.get(messageId);
	if (organizationId === undefined) return false;
	ledger.reserved.delete(messageId);
	const balance = ledger.balances.get(organizationId) ?? 0;
	ledger.balances.set(organizationId, balance + 1);
	return true;
}
