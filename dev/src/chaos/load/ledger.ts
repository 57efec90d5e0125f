import type { Tenant } from "../target/tenants.ts";

/** One request of a client, repeated under its key until it was accepted. */
export interface Sent {
	readonly tenant: Tenant;
	readonly channel: "sms" | "whatsapp" | "campaign";
	readonly key: string;
	/** Stands in every part of the text, and nowhere else. */
	readonly tag: string;
	/** One recipient, but of a campaign. */
	readonly recipients: readonly string[];
	/** Parts that an operator gets. */
	readonly parts: number;
	/** What the 2xx responses named; more than one breaks the promise of the key. */
	readonly ids: Set<string>;
	tries: number;
}

/** What the clients were told: the truth that the system is held to. */
export class Ledger {
	readonly sent: Sent[] = [];
	/** Responses that no client should ever see. */
	readonly surprises: string[] = [];
	/** Tries that were not accepted: lost connections and refusals that ask to come again. */
	failedTries = 0;
	/** The first of them, for whoever expects none. */
	readonly failures: string[] = [];

	of(tenant: Tenant, channel?: Sent["channel"]): Sent[] {
		return this.sent.filter(
			(each) =>
				each.tenant === tenant &&
				(channel === undefined || each.channel === channel),
		);
	}

	/** Ids of the accepted messages of clients, without those of campaigns. */
	messageIds(tenant?: Tenant): string[] {
		return this.sent
			.filter(
				(each) =>
					each.channel !== "campaign" &&
					(tenant === undefined || each.tenant === tenant),
			)
			.flatMap(({ ids }) => [...ids]);
	}

	noteFailure(why: string): void {
		this.failedTries++;
		if (this.failures.length < 5) this.failures.push(why);
	}
}
