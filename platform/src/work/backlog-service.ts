import { BacklogService } from "@airtower/proto/ops/v1/backlog";
import type { Gauge } from "prom-client";
import { assertOrganization } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";

/** BacklogService, which tells what a gauge without labels has been set to, in seconds: who asks causes no query. */
export function backlogRoute(oldestSeconds: Gauge): RpcRoute {
	return rpcRoute(BacklogService, {
		getBacklog: async (_, context) => {
			assertOrganization(context, "*");
			const { values } = await oldestSeconds.get();
			return { oldestSeconds: values[0]?.value ?? 0 };
		},
	});
}
