import type { Db } from "@airtower/platform/database/database";
import type { Clock } from "@airtower/platform/runtime/clock";
import type { Logger } from "@airtower/platform/runtime/log";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { Client } from "@connectrpc/connect";
import type { Telemetry } from "./telemetry.ts";

export interface Context {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	readonly messaging: Pick<
		Client<typeof MessagingService>,
		"sendMessages" | "previewMessages" | "listSenderIds"
	>;
	/** What one organization may have. */
	readonly bounds: {
		readonly contacts: number;
		/** Campaigns that have not dealt with all their recipients. */
		readonly openCampaigns: number;
		/** Recipients that a preview looks at. */
		readonly previewed: number;
	};
	readonly retention: {
		/** Of recipients' names, from the campaign's end. */
		readonly bodyDays: number;
		/** Of recipients, the same. */
		readonly recordMonths: number;
	};
}
