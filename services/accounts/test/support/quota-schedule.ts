import { randomUUID } from "node:crypto";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { eventually } from "@airtower/platform/testing/eventually";
import fc from "fast-check";
import { expect } from "vitest";
import { reconcileReservations } from "../../src/jobs/reconcile-reservations.ts";
import type { TestAccounts } from "./accounts.ts";
import { balanceOf, organizationWith } from "./organizations.ts";

/** One act of the services around the quota; numbers pick organizations and earlier acts. */
type Act =
	| { kind: "reserve"; organizations: number[]; survives: boolean }
	| { kind: "repeat"; batch: number }
	| { kind: "release"; batch: number }
	| { kind: "grant"; organization: number; units: number }
	| { kind: "repeat grant"; grant: number }
	| { kind: "reconcile" }
	| { kind: "lose connections" };

const place = fc.nat(1_000);
const organization = fc.nat(2);

export const act: fc.Arbitrary<Act> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant("reserve" as const),
			organizations: fc.array(organization, { minLength: 1, maxLength: 12 }),
			survives: fc.boolean(),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant("repeat" as const),
			batch: place,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("release" as const),
			batch: place,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("grant" as const),
			organization,
			units: fc.integer({ min: -20, max: 20 }).filter((units) => units !== 0),
		}),
	},
	fc.record({ kind: fc.constant("repeat grant" as const), grant: place }),
	fc.record({ kind: fc.constant("reconcile" as const) }),
	fc.record({ kind: fc.constant("lose connections" as const) }),
);

interface Batch {
	readonly reservations: {
		organizationId: string;
		messageId: string;
		channel: string;
	}[];
	/** Whether its sender lives to store the messages. */
	readonly survives: boolean;
}

interface Grant {
	readonly organizationId: string;
	readonly units: bigint;
	readonly grantId: string;
}

/** The services around the quota, and what they were told: the oracle is outside the database. */
export class QuotaSchedule {
	readonly organizationIds: string[];
	readonly #service: TestAccounts;
	readonly #batches: Batch[] = [];
	readonly #grants: Grant[] = [];
	/** Balance after each granted message. */
	readonly #granted = new Map<string, bigint>();
	/** Units by grant id, of grants that were accepted. */
	readonly #accepted = new Map<string, Grant>();

	constructor(service: TestAccounts, organizationIds: string[]) {
		this.#service = service;
		this.organizationIds = organizationIds;
	}

	static async start(service: TestAccounts): Promise<QuotaSchedule> {
		const ids = [0, 1, 2].map(() => organizationWith(service));
		return new QuotaSchedule(service, await Promise.all(ids));
	}

	async perform(act: Act): Promise<void> {
		switch (act.kind) {
			case "reserve":
				return this.#reserve(this.#newBatch(act));
			case "repeat":
				return this.#reserve(pick(this.#batches, act.batch));
			case "release":
				return this.#release(pick(this.#batches, act.batch));
			case "grant":
				return this.#grant(this.#newGrant(act));
			case "repeat grant":
				return this.#grant(pick(this.#grants, act.grant));
			case "reconcile":
				await persistently(() => reconcileReservations(this.#service.ctx));
				return;
			case "lose connections":
				return this.#loseConnections();
		}
	}

	/** Lets the reconciler finish and compares the balances with what the callers were told. */
	async expectExactBalances(): Promise<void> {
		await eventually(async () => {
			await reconcileReservations(this.#service.ctx);
			for (const id of this.organizationIds)
				expect(await balanceOf(this.#service, id)).toBe(this.#expected(id));
		});
	}

	#expected(organizationId: string): number {
		const grants = [...this.#accepted.values()]
			.filter((grant) => grant.organizationId === organizationId)
			.reduce((sum, grant) => sum + Number(grant.units), 0);
		const sent = this.#batches
			.filter((batch) => batch.survives)
			.flatMap((batch) => batch.reservations)
			.filter((one) => one.organizationId === organizationId)
			.filter((one) => this.#granted.has(one.messageId));
		return grants - sent.length;
	}

	#newBatch(act: Act & { kind: "reserve" }): Batch {
		const reservations = act.organizations.map((index) => ({
			organizationId: pick(this.organizationIds, index) ?? "",
			messageId: uuidv7(),
			channel: "sms",
		}));
		if (act.survives)
			for (const { messageId } of reservations)
				this.#service.messages.stored.add(messageId);
		const batch = { reservations, survives: act.survives };
		this.#batches.push(batch);
		return batch;
	}

	async #reserve(batch: Batch | undefined): Promise<void> {
		if (batch === undefined) return;
		const { results } = await persistently(() =>
			this.#service.accounts.reserveQuota({ reservations: batch.reservations }),
		);
		results.forEach(({ result }, index) => {
			const messageId = batch.reservations[index]?.messageId ?? "";
			if (result.case === "granted")
				this.#noteGranted(messageId, result.value.remaining);
			else expect(this.#refusalsOf(batch)).toContain(result.value?.reason);
		});
	}

	#noteGranted(messageId: string, remaining: bigint): void {
		expect(remaining).toBeGreaterThanOrEqual(0n);
		const earlier = this.#granted.get(messageId);
		if (earlier !== undefined) expect(remaining).toBe(earlier);
		this.#granted.set(messageId, remaining);
	}

	#refusalsOf(batch: Batch): string[] {
		return batch.survives
			? ["quota_exhausted"]
			: ["quota_exhausted", "reservation_released"];
	}

	/** Only a sender that stored nothing gives back. */
	async #release(batch: Batch | undefined): Promise<void> {
		if (batch === undefined || batch.survives) return;
		await persistently(() =>
			this.#service.accounts.releaseQuota({ releases: batch.reservations }),
		);
	}

	#newGrant(act: Act & { kind: "grant" }): Grant {
		const grant = {
			organizationId: pick(this.organizationIds, act.organization) ?? "",
			units: BigInt(act.units),
			grantId: randomUUID(),
		};
		this.#grants.push(grant);
		return grant;
	}

	async #grant(grant: Grant | undefined): Promise<void> {
		if (grant === undefined) return;
		try {
			await persistently(() => this.#service.admin.grantQuota(grant));
			this.#accepted.set(grant.grantId, grant);
		} catch (error) {
			expect(domainErrorFrom(error)?.reason).toBe("balance_would_be_negative");
			expect(this.#accepted.has(grant.grantId)).toBe(false);
		}
	}

	/** What a database restart or a failover does to the service. */
	async #loseConnections(): Promise<void> {
		await persistently(
			() => this.#service.ctx.sql`
				select pg_terminate_backend(pid)
				from pg_stat_activity
				where application_name = current_setting('application_name')
				and pid <> pg_backend_pid()
			`,
		);
	}
}

function pick<T>(list: readonly T[], place: number): T | undefined {
	return list[place % Math.max(list.length, 1)];
}

/** Repeats a call, the very same, as long as its outcome is not known. */
function persistently<T>(call: () => Promise<T>): Promise<T> {
	let refusal: unknown;
	return eventually(async () => {
		refusal = undefined;
		try {
			return await call();
		} catch (error) {
			const known = domainErrorFrom(error);
			if (known === undefined || known.kind === "unavailable") throw error;
			refusal = error;
			return undefined as T;
		}
	}).then((response) => {
		if (refusal !== undefined) throw refusal;
		return response;
	});
}
