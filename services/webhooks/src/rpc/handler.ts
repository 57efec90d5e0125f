import type * as route from "@airtower/platform/rpc/route";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";

export type Handler<Method extends DescMethodUnary> = route.Handler<
	Context,
	Method
>;
