import type {
	DescMethodUnary,
	MessageInitShape,
	MessageShape,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";

export type Handler<Method extends DescMethodUnary> = (
	ctx: Context,
	request: MessageShape<Method["input"]>,
	context: HandlerContext,
) => Promise<MessageInitShape<Method["output"]>>;
