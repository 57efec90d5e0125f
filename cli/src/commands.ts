import type { Command } from "./command.ts";
import { auditCommands } from "./commands/audit.ts";
import { campaignCommands } from "./commands/campaigns.ts";
import { deadLetterCommands } from "./commands/dead-letters.ts";
import { inboundCommands } from "./commands/inbound.ts";
import { keyCommands } from "./commands/keys.ts";
import { ledgerCommands } from "./commands/ledger.ts";
import { messageCommands } from "./commands/messages.ts";
import { numberCommands } from "./commands/numbers.ts";
import { optOutCommands } from "./commands/opt-outs.ts";
import { organizationCommands } from "./commands/organizations.ts";
import { planCommands } from "./commands/plans.ts";
import { privacyCommands } from "./commands/privacy.ts";
import { quietHoursCommands } from "./commands/quiet-hours.ts";
import { quotaCommands } from "./commands/quota.ts";
import { receiptCommands } from "./commands/receipts.ts";
import { routeCommands } from "./commands/routes.ts";
import { ruleCommands } from "./commands/rules.ts";
import { secretCommands } from "./commands/secrets/secrets.ts";
import { signingKeyCommands } from "./commands/secrets/signing-keys.ts";
import { tokenCommands } from "./commands/secrets/tokens.ts";
import { senderCommands } from "./commands/senders.ts";
import { templateCommands } from "./commands/templates.ts";
import { deliveryCommands, endpointCommands } from "./commands/webhooks.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
	...organizationCommands,
	...planCommands,
	...quotaCommands,
	...ledgerCommands,
	...keyCommands,
	...senderCommands,
	...optOutCommands,
	...quietHoursCommands,
	...numberCommands,
	...templateCommands,
	...campaignCommands,
	...routeCommands,
	...ruleCommands,
	...receiptCommands,
	...inboundCommands,
	...messageCommands,
	...endpointCommands,
	...deliveryCommands,
	...deadLetterCommands,
	...secretCommands,
	...privacyCommands,
	...auditCommands,
	...tokenCommands,
	...signingKeyCommands,
];
