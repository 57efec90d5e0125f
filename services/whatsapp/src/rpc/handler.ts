import type {
	DescMethodUnary,
	MessageInitShape,
	MessageShape,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context, Wakers } from "../context.ts";

export interface RpcContext extends Context {
	readonly wake: Wakers;
}

export type Handler<Method extends DescMethodUnary> = (
	ctx: RpcContext,
	request: MessageShape<Method["input"]>,
	context: HandlerContext,
) => Promise<MessageInitShape<Method["output"]>>;
