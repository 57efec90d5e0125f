import { isDeepStrictEqual } from "node:util";
import type { Facts } from "@airtower/platform/audit/audit-entries";
import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type {
	OptOutAdminService,
	OptOutSettingsSchema,
	SetOptOutSettingsRequest,
} from "@airtower/proto/messaging/v1/opt_outs";
import { isStorable } from "@airtower/proto/rules/plain-text";
import { countSegments } from "@airtower/proto/rules/segments";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { wordFamilies } from "../../domain/opt-outs/opt-out-words.ts";
import { REPLY_TEXTS } from "../../domain/opt-outs/reply-texts.ts";
import {
	findOptOutSettings,
	lockOptOutSettings,
	type OptOutSettingsRow,
	updateOptOutSettings,
} from "../../store/opt-outs/opt-out-settings.ts";
import type { Handler } from "../handler.ts";

/** As of any message. */
const MAX_SEGMENTS = 10;
/** Stands for the built-in text. */
const DEFAULT = "default";

export const getOptOutSettings: Handler<
	typeof OptOutAdminService.method.getOptOutSettings
> = async ({ sql }, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const settings = await findOptOutSettings(sql, organizationId);
	return { settings: settingsToProto(settings) };
};

export const setOptOutSettings: Handler<
	typeof OptOutAdminService.method.setOptOutSettings
> = async ({ sql }, request, context) => {
	const organizationId = request.organizationId.toLowerCase();
	assertOrganization(context, organizationId);
	const change = readChange(request);
	const settings = await transaction(sql, async (sql) => {
		const before = await lockOptOutSettings(sql, organizationId);
		const after = { ...before, ...change };
		if (isDeepStrictEqual(before, after)) {
			recordNothing(context);
			return after;
		}
		await updateOptOutSettings(sql, organizationId, after);
		await recordAct(sql, context, {
			organizationId,
			before: toFacts(before),
			after: toFacts(after),
		});
		return after;
	});
	return { settings: settingsToProto(settings) };
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readChange(
	request: SetOptOutSettingsRequest,
): Partial<OptOutSettingsRow> {
	const { scope, exemptsOneTimePasswords } = request;
	const change: Partial<Mutable<OptOutSettingsRow>> = {};
	if (scope === "sender" || scope === "organization") change.scope = scope;
	if (exemptsOneTimePasswords !== undefined)
		change.exemptsOneTimePasswords = exemptsOneTimePasswords;
	for (const family of wordFamilies) {
		const text = request[`${family}Text`];
		if (text !== undefined)
			change[`${family}Text`] = readText(`${family}_text`, text);
	}
	return change;
}

function readText(field: string, text: string): string | null {
	if (text === DEFAULT) return null;
	if (!isStorable(text))
		throw invalid(
			"invalid_characters",
			field,
			"The text holds a NUL character or half of a surrogate pair.",
		);
	if (countSegments(text).segments > MAX_SEGMENTS)
		throw invalid(
			"message_too_long",
			field,
			`The text takes more than ${MAX_SEGMENTS} segments; shorten it.`,
		);
	return text.trim();
}

function settingsToProto(
	settings: OptOutSettingsRow,
): MessageInitShape<typeof OptOutSettingsSchema> {
	return {
		...settings,
		stopText: settings.stopText ?? REPLY_TEXTS.stop,
		startText: settings.startText ?? REPLY_TEXTS.start,
		helpText: settings.helpText ?? REPLY_TEXTS.help,
	};
}

function toFacts(settings: OptOutSettingsRow): Facts {
	return {
		scope: settings.scope,
		stop_text: describe(settings.stopText),
		start_text: describe(settings.startText),
		help_text: describe(settings.helpText),
		exempts_one_time_passwords: settings.exemptsOneTimePasswords,
	};
}

/** The audit outlives an erasure, and such a text may name people. */
function describe(text: string | null): string {
	if (text === null) return DEFAULT;
	return text === "" ? "no response" : `${text.length} characters`;
}
