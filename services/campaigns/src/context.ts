import type { Clock } from "@airtower/platform/clock";
import type { Db } from "@airtower/platform/database";
import type { Logger } from "@airtower/platform/log";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Client } from "@connectrpc/connect";

/** What every handler, job and consumer works with. */
export interface CampaignsContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly clock: Clock;
	readonly messaging: Pick<
		Client<typeof MessagingService>,
		"sendMessages" | "listSenderIds"
	>;
	/** Says that a campaign may be due. */
	readonly pokeCampaigns: () => void;
}
