import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type {
	AccountsService,
	QuotaRelease,
} from "@airtower/proto/accounts/v1/accounts";
import { toPlain } from "@airtower/proto/rules/plain-text";
import { type Release, releaseReservations } from "../release-reservations.ts";
import type { Handler } from "./handler.ts";

/** Longest note that is kept, characters. */
const MAX_NOTE_LENGTH = 500;

/** Gives reservations back. An id that was never reserved, malformed ones included, is passed over. */
export const releaseQuota: Handler<
	typeof AccountsService.method.releaseQuota
> = async (ctx, request, context) => {
	for (const { organizationId } of request.releases)
		assertOrganization(context, organizationId);
	const releases = request.releases.filter(isMeaningful).map(readRelease);
	const released = await transaction(ctx.sql, (sql) =>
		releaseReservations(sql, releases),
	);
	ctx.telemetry.releases.inc({ by: "caller" }, released);
	return { released };
};

function isMeaningful(release: QuotaRelease): boolean {
	return isUuid(release.organizationId) && isUuid(release.messageId);
}

function readRelease(release: QuotaRelease): Release {
	const note = [...toPlain(release.note)].slice(0, MAX_NOTE_LENGTH).join("");
	return {
		organizationId: release.organizationId.toLowerCase(),
		messageId: release.messageId.toLowerCase(),
		note: note === "" ? null : note,
	};
}
