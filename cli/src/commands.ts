import type { Command } from "./command.ts";
import { listCampaigns } from "./commands/campaigns.ts";
import {
	listDeadLetters,
	redriveDeadLetters,
} from "./commands/dead-letters.ts";
import {
	countDeliveries,
	listDeliveries,
	redriveDeliveries,
} from "./commands/deliveries.ts";
import { listEndpoints } from "./commands/endpoints.ts";
import { issueKey, listKeys, revokeKey } from "./commands/keys.ts";
import { traceMessage } from "./commands/messages.ts";
import { listNumbers, registerNumber } from "./commands/numbers.ts";
import {
	createOrganization,
	listOrganizations,
	setPlan,
	setState,
	showOrganization,
} from "./commands/organizations.ts";
import { listPlans, putPlan } from "./commands/plans.ts";
import { grantQuota } from "./commands/quota.ts";
import { listRoutes } from "./commands/routes.ts";
import {
	approveSender,
	listPendingSenders,
	listSenders,
	rejectSender,
	suspendSender,
} from "./commands/senders.ts";
import {
	disableTemplate,
	enableTemplate,
	listTemplates,
	syncTemplates,
} from "./commands/templates.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
	createOrganization,
	listOrganizations,
	showOrganization,
	setState,
	setPlan,
	putPlan,
	listPlans,
	grantQuota,
	issueKey,
	listKeys,
	revokeKey,
	listPendingSenders,
	listSenders,
	approveSender,
	rejectSender,
	suspendSender,
	registerNumber,
	listNumbers,
	syncTemplates,
	listTemplates,
	disableTemplate,
	enableTemplate,
	listCampaigns,
	listRoutes,
	traceMessage,
	listEndpoints,
	listDeliveries,
	countDeliveries,
	redriveDeliveries,
	listDeadLetters,
	redriveDeadLetters,
];
