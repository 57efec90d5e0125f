import type {
	DescMethodUnary,
	MessageInitShape,
	MessageShape,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";

/** What handlers work with; `wake` says to the jobs that there is work. */
export interface RpcContext extends Context {
	readonly wake: {
		dispatch(): void;
		callbacks(): void;
		templates(): void;
	};
}

/** What carries out one method of the contract. */
export type Handler<Method extends DescMethodUnary> = (
	ctx: RpcContext,
	request: MessageShape<Method["input"]>,
	context: HandlerContext,
) => Promise<MessageInitShape<Method["output"]>>;
