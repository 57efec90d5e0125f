import type { TestDatabase } from "@airtower/platform/testing/database";
import type { Context } from "../../src/context.ts";
import { type FakeMessaging, fakeMessaging } from "../fake-messaging.ts";

/** From a pause or cancellation on nobody is accepted for the first time after so long, ms. */
const STOP_MS = 60_000;

export type Request = Parameters<Context["messaging"]["sendMessages"]>[0];
export type Response = ReturnType<Context["messaging"]["sendMessages"]>;

/** What accounts tells of. */
type Change =
	| { readonly units: number }
	| { readonly state: "active" | "suspended" | "closed" };

interface Sharing {
	granted: number;
	readonly usedBefore: number;
	/** False once a call that was under way before has used what the share knows nothing of. */
	isExact: boolean;
}

export interface Organization {
	readonly id: string;
	readonly messaging: FakeMessaging;
	state: "active" | "suspended" | "closed";
	isSenderSuspended: boolean;
	/** What campaigns do not know yet, in its order. */
	readonly untold: Change[];
	/** Messages of campaigns that were accepted. */
	used: number;
	/** What the campaigns' share was granted, and what they had used before; undefined while they may use all. */
	sharing: Sharing | undefined;
}

export interface LivedCampaign {
	readonly id: string;
	readonly organization: Organization;
	/** Each once, without what is no number. */
	readonly phones: readonly string[];
	/** When it was paused or cancelled by request, unless it was resumed since. */
	stoppedAt: number | undefined;
}

export interface Message {
	readonly campaign: LivedCampaign;
	readonly phone: string;
	readonly messageId: string;
	readonly end: "delivered" | "failed" | "canceled";
	/** Its outcome comes only after the campaign has given it up. */
	readonly isLate: boolean;
	isTold: boolean;
}

/** Organizations with their campaigns, and messaging, which knows better than any table who was sent to. */
export class World {
	readonly database: TestDatabase;
	readonly organizations: Organization[] = [];
	readonly campaigns: LivedCampaign[] = [];
	readonly messages: Message[] = [];
	readonly optedOut = new Set<string>();
	/** Whose routes are all paused. */
	readonly waiting = new Set<string>();
	/** What no sequence of steps may bring about. */
	readonly violations: string[] = [];
	random: () => number = Math.random;
	/** How far clocks are ahead of this machine's, ms. */
	aheadMs = 0;

	constructor(database: TestDatabase) {
		this.database = database;
	}

	pick<T>(all: readonly T[]): T | undefined {
		return all[Math.floor(this.random() * all.length)];
	}

	/** From `least` up to `most`. */
	count(least: number, most: number): number {
		return least + Math.floor(this.random() * (most + 1 - least));
	}

	now(): number {
		return Date.now() + this.aheadMs;
	}

	async setClock(aheadMs: number): Promise<void> {
		this.aheadMs = aheadMs;
		await this.database.setClock(aheadMs);
	}

	addOrganization(id: string, quota: number): void {
		const messaging = fakeMessaging(quota);
		const organization: Organization = {
			...{ id, messaging, state: "active", isSenderSuspended: false },
			...{ untold: [], used: 0, sharing: undefined },
		};
		messaging.mustWait = (to) => this.waiting.has(to);
		messaging.refusalOf = (to) => {
			if (this.optedOut.has(to)) return "recipient_opted_out";
			if (organization.isSenderSuspended) return "sender_not_approved";
			if (organization.state !== "active") return "organization_suspended";
			return undefined;
		};
		this.organizations.push(organization);
	}

	/** A call of SendMessages arrives: all of its messages are of one campaign. */
	async accept(request: Request, isLate: boolean): Promise<Awaited<Response>> {
		const messages = request.messages ?? [];
		const [first] = messages;
		const campaign = this.campaigns.find(({ id }) => id === first?.campaignId);
		if (campaign === undefined) throw new Error("There is no such campaign.");
		const { organization } = campaign;
		const { accepted, client } = organization.messaging;
		const unsent = messages.filter(({ to = "" }) => !accepted.has(to));
		// The fake decides before it returns; it throws when it would send twice.
		const response = client.sendMessages(request);
		for (const { to = "" } of unsent) {
			const message = accepted.get(to);
			if (message === undefined) continue;
			this.#note(campaign, to, message.messageId);
			if (organization.sharing !== undefined)
				organization.sharing.isExact &&= !isLate;
		}
		return response;
	}

	#note(campaign: LivedCampaign, phone: string, messageId: string): void {
		campaign.organization.used++;
		const ends = ["delivered", "delivered", "failed", "canceled"] as const;
		const end = this.pick(ends) ?? "failed";
		const isLate = this.random() < 0.1;
		const told = { end, isLate, isTold: false };
		this.messages.push({ campaign, phone, messageId, ...told });
		const { stoppedAt = Number.POSITIVE_INFINITY } = campaign;
		if (this.now() > stoppedAt + STOP_MS)
			this.violations.push(`${phone} was accepted after a stop`);
	}
}
