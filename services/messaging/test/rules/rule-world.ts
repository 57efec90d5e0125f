import { keyRingText } from "@airtower/platform/testing/keys";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import {
	type AddRouteRuleRequestSchema,
	RouteRuleService,
} from "@airtower/proto/messaging/v1/route_rules";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { startTestService, type TestService } from "../support/service.ts";

export const ENV = {
	MESSAGING_ROLE: "accept",
	ENCRYPTION_KEYS: keyRingText(),
	SMPP_ROUTE_URL: "smpp://test:test@127.0.0.1:9?code=first",
};

/** A process that accepts, with the stored routes `first` and those of the codes; nothing delivers. */
export async function startRuleWorld(...codes: readonly string[]) {
	const service = await startTestService({ env: ENV, realOperator: true });
	for (const code of codes)
		await service.admin.addRoute({
			code,
			kind: "smpp",
			settings: { address: "smpp://test@127.0.0.1:9", password: "test" },
		});
	return { service, rules: rulesClient(service.running.port) };
}

export type RulesClient = ReturnType<typeof rulesClient>;

export function rulesClient(rpcPort: number, organization = "*") {
	return testRpcClient({
		baseUrl: `http://127.0.0.1:${rpcPort}`,
		audience: "messaging",
		service: RouteRuleService,
		organization,
	});
}

export type RuleInit = MessageInitShape<typeof AddRouteRuleRequestSchema>;

/** A rule for every message, but for the given fields. */
export function ruleFor(route: string, fields: RuleInit = {}): RuleInit {
	return { route, priority: 1, weight: 1, ...fields };
}

export async function removeAllRules(rules: RulesClient): Promise<void> {
	const { rules: all } = await rules.listRouteRules({});
	for (const { id } of all) await rules.removeRouteRule({ id });
}

/** The process knows it when this resolves. */
export async function setRouteState(
	{ admin }: Pick<TestService, "admin">,
	code: string,
	state: string,
): Promise<void> {
	await admin.setRouteState({ code, state });
	await admin.listRoutes({});
}

interface StoredRoute {
	readonly id: string;
	readonly route: string;
	readonly rulesVersion: number | null;
	readonly queuedOn: string | null;
}

/** Messages of an organization with the route that each was given, and the one on which each is queued. */
export async function storedRoutes(
	{ sql }: Pick<TestService, "sql">,
	organizationId: string,
): Promise<StoredRoute[]> {
	return sql<StoredRoute[]>`
		select
			id,
			messages.route,
			rules_version as "rulesVersion",
			dispatch.route as "queuedOn"
		from messages
		left join dispatch on message_id = id
		where messages.organization_id = ${organizationId}
		order by id
	`;
}
