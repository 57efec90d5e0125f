import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { authenticateKeys } from "./authenticate-keys.ts";
import { createOrganization } from "./create-organization.ts";
import { getOrganization } from "./get-organization.ts";
import { grantQuota } from "./grant-quota.ts";
import { issueApiKey } from "./issue-api-key.ts";
import { releaseQuota } from "./release-quota.ts";
import { reserveQuota } from "./reserve-quota.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { setOrganizationState } from "./set-organization-state.ts";

type Handler<Request, Answer> = (
	ctx: AccountsContext,
	request: Request,
	context: HandlerContext,
) => Promise<Answer>;

/** The RPC services of this process. */
export const services = [AccountsService, AccountsAdminService];

/** Registers every RPC. */
export function routes(ctx: AccountsContext) {
	const using =
		<Q, A>(handler: Handler<Q, A>) =>
		(request: Q, context: HandlerContext) =>
			handler(ctx, request, context);

	return (router: ConnectRouter): void => {
		router.service(AccountsService, {
			authenticateKeys: using(authenticateKeys),
			reserveQuota: using(reserveQuota),
			releaseQuota: using(releaseQuota),
		});
		router.service(AccountsAdminService, {
			createOrganization: using(createOrganization),
			getOrganization: using(getOrganization),
			grantQuota: using(grantQuota),
			setOrganizationState: using(setOrganizationState),
			issueApiKey: using(issueApiKey),
			revokeApiKey: using(revokeApiKey),
		});
	};
}
