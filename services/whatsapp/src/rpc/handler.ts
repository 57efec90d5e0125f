import type * as route from "@airtower/platform/rpc/route";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Context, Wakers } from "../context.ts";

export interface RpcContext extends Context {
	readonly wake: Wakers;
}

export type Handler<Method extends DescMethodUnary> = route.Handler<
	RpcContext,
	Method
>;
