import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import {
	InboundAdminService,
	InboundService,
} from "@airtower/proto/messaging/v1/inbound";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import {
	OptOutAdminService,
	OptOutService,
} from "@airtower/proto/messaging/v1/opt_outs";
import { QuietHoursService } from "@airtower/proto/messaging/v1/quiet_hours";
import { ReceiptDoctorService } from "@airtower/proto/messaging/v1/receipt_doctor";
import { RouteRuleService } from "@airtower/proto/messaging/v1/route_rules";
import type { Context } from "../context.ts";
import { cancelMessage } from "./cancel-message.ts";
import { countMessages } from "./count-messages.ts";
import { getMessage } from "./get-message.ts";
import { addInboundNumber } from "./inbound/add-inbound-number.ts";
import { listInbound } from "./inbound/list-inbound.ts";
import { listInboundNumbers } from "./inbound/list-inbound-numbers.ts";
import { listUnownedInbound } from "./inbound/list-unowned-inbound.ts";
import { receiveInboundCallback } from "./inbound/receive-inbound-callback.ts";
import { removeInboundNumber } from "./inbound/remove-inbound-number.ts";
import { listMessages } from "./list-messages.ts";
import { listMissingMessages } from "./list-missing-messages.ts";
import { listSentMessages } from "./list-sent-messages.ts";
import { listStoredMessages } from "./list-stored-messages.ts";
import { addOptOuts } from "./opt-outs/add-opt-outs.ts";
import { listOptOuts } from "./opt-outs/list-opt-outs.ts";
import {
	getOptOutSettings,
	setOptOutSettings,
} from "./opt-outs/opt-out-settings.ts";
import { listOptOutWords, setOptOutWords } from "./opt-outs/opt-out-words.ts";
import { removeOptOut } from "./opt-outs/remove-opt-out.ts";
import { previewMessages } from "./preview-messages.ts";
import {
	clearQuietHours,
	getQuietHours,
	setQuietHours,
} from "./quiet-hours.ts";
import { applyDiagnosis } from "./receipt-doctor/apply-diagnosis.ts";
import { diagnoseReceipts } from "./receipt-doctor/diagnose-receipts.ts";
import { listParkedReceipts } from "./receipt-doctor/list-parked-receipts.ts";
import { receiveCallback } from "./receive-callback.ts";
import { resolveMessage } from "./resolve-message.ts";
import { addRouteRule } from "./route-rules/add-route-rule.ts";
import { explainRoute } from "./route-rules/explain-route.ts";
import { listRouteRules } from "./route-rules/list-route-rules.ts";
import { removeRouteRule } from "./route-rules/remove-route-rule.ts";
import { addRoute } from "./routes/add-route.ts";
import { getRoute } from "./routes/get-route.ts";
import { getRouteTraffic } from "./routes/get-route-traffic.ts";
import { listRoutes } from "./routes/list-routes.ts";
import { reconnectRoute } from "./routes/reconnect-route.ts";
import { setRoute } from "./routes/set-route.ts";
import { setRouteState } from "./routes/set-route-state.ts";
import { testRoute } from "./routes/test-route.ts";
import { sendMessages } from "./send-messages.ts";
import { decideSenderId } from "./sender-ids/decide-sender-id.ts";
import { listPendingSenderIds } from "./sender-ids/list-pending-sender-ids.ts";
import { listSenderIds } from "./sender-ids/list-sender-ids.ts";
import { requestSenderId } from "./sender-ids/request-sender-id.ts";
import { setHold } from "./set-hold.ts";
import { traceMessage } from "./trace-message.ts";

/** What the gateway passes on from anybody: a flood of it leaves room for sends and lists. */
const FOR_STRANGERS = {
	methods: ["receiveCallback", "receiveInboundCallback"],
	slots: 256,
} as const;

export function rpcRoutes(ctx: Context): RpcRoute[] {
	return [
		rpcRoute(
			MessagingService,
			withContext(ctx, {
				sendMessages,
				previewMessages,
				listMissingMessages,
				listStoredMessages,
				requestSenderId,
				listSenderIds,
				listSentMessages,
				getMessage,
				cancelMessage,
				receiveCallback,
				receiveInboundCallback,
			}),
			FOR_STRANGERS,
		),
		rpcRoute(
			MessagingAdminService,
			withContext(ctx, {
				decideSenderId,
				listMessages,
				resolveMessage,
				listPendingSenderIds,
				traceMessage,
				countMessages,
				listRoutes,
				reconnectRoute,
				addRoute,
				setRoute,
				getRoute,
				testRoute,
				setRouteState,
				getRouteTraffic,
				setHold,
			}),
		),
		rpcRoute(InboundService, withContext(ctx, { listInbound })),
		rpcRoute(
			InboundAdminService,
			withContext(ctx, {
				addInboundNumber,
				removeInboundNumber,
				listInboundNumbers,
				listUnownedInbound,
			}),
		),
		rpcRoute(
			OptOutService,
			withContext(ctx, {
				listOptOuts,
				addOptOuts,
				removeOptOut,
			}),
		),
		rpcRoute(
			OptOutAdminService,
			withContext(ctx, {
				getOptOutSettings,
				setOptOutSettings,
				listOptOutWords,
				setOptOutWords,
			}),
		),
		rpcRoute(
			QuietHoursService,
			withContext(ctx, { getQuietHours, setQuietHours, clearQuietHours }),
		),
		rpcRoute(
			ReceiptDoctorService,
			withContext(ctx, {
				listParkedReceipts,
				diagnoseReceipts,
				applyDiagnosis,
			}),
		),
		rpcRoute(
			RouteRuleService,
			withContext(ctx, {
				addRouteRule,
				removeRouteRule,
				listRouteRules,
				explainRoute,
			}),
		),
	];
}
