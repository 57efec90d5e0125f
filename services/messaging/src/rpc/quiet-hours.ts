import { isDeepStrictEqual } from "node:util";
import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type {
	ClearQuietHoursRequest,
	QuietHoursService,
	SetQuietHoursRequest,
} from "@airtower/proto/messaging/v1/quiet_hours";
import { toClockTime } from "@airtower/proto/rules/clock-time";
import {
	leavesOpen,
	type QuietHours,
} from "../domain/quiet-hours/quiet-hours.ts";
import {
	deleteQuietHours,
	findQuietHours,
	putQuietHours,
} from "../store/quiet-hours.ts";
import type { Handler } from "./handler.ts";

export const getQuietHours: Handler<
	typeof QuietHoursService.method.getQuietHours
> = async ({ sql }, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const found = await findQuietHours(sql, [organizationId]);
	const hours = found.get(organizationId);
	return hours === undefined ? {} : { quietHours: toProto(hours) };
};

export const setQuietHours: Handler<
	typeof QuietHoursService.method.setQuietHours
> = async ({ sql }, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const { startMinute = 0, endMinute = 0 } = request.quietHours ?? {};
	const hours = { start: startMinute, end: endMinute };
	if (!leavesOpen(hours))
		throw invalid(
			"invalid_quiet_hours",
			"end",
			"From the end to the start of the quiet hours an hour at least must stay open each day.",
		);
	await transaction(sql, async (sql) => {
		const before = await putQuietHours(sql, organizationId, hours);
		if (isDeepStrictEqual(before, hours)) return recordNothing(context);
		await recordAct(sql, context, {
			organizationId,
			...actorOf(request),
			...(before && { before: toFacts(before) }),
			after: toFacts(hours),
		});
	});
	return { quietHours: toProto(hours) };
};

export const clearQuietHours: Handler<
	typeof QuietHoursService.method.clearQuietHours
> = async ({ sql }, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	await transaction(sql, async (sql) => {
		const before = await deleteQuietHours(sql, organizationId);
		if (before === undefined) return recordNothing(context);
		await recordAct(sql, context, {
			organizationId,
			...actorOf(request),
			before: toFacts(before),
		});
	});
	return {};
};

function actorOf({
	callerApiKeyId,
	callerAddress: address,
}: SetQuietHoursRequest | ClearQuietHoursRequest) {
	if (callerApiKeyId === "") return {};
	return { by: { apiKeyId: callerApiKeyId.toLowerCase(), address } };
}

function toProto({ start, end }: QuietHours) {
	return { startMinute: start, endMinute: end };
}

function toFacts({ start, end }: QuietHours) {
	return { start: toClockTime(start), end: toClockTime(end) };
}
