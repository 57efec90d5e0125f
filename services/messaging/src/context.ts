import type { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Client } from "@connectrpc/connect";
import {
	createReferenceCounter,
	type ReferenceCounter,
} from "./accepting/concat-references.ts";
import {
	createSenderMemory,
	type SenderMemory,
} from "./accepting/sender-memory.ts";
import type { CommonContext } from "./common-context.ts";
import type { RouteName } from "./operators/operator.ts";

export type AccountsClient = Pick<
	Client<typeof AccountsService>,
	"reserveQuota" | "releaseQuota"
>;

export interface Context extends CommonContext {
	readonly accounts: AccountsClient;
	readonly route: string;
	readonly routes: readonly RouteName[];
	readonly senders: SenderMemory;
	readonly references: ReferenceCounter;
	readonly announceWork: () => void;
}

export type ContextParts = Pick<
	Context,
	"accounts" | "route" | "routes" | "announceWork"
>;

export function createContext(
	common: CommonContext,
	parts: ContextParts,
): Context {
	return {
		...common,
		...parts,
		senders: createSenderMemory(common.sql),
		references: createReferenceCounter(),
	};
}
