import type {
	DescMethodUnary,
	DescService,
	MessageInitShape,
	MessageShape,
} from "@bufbuild/protobuf";
import type {
	ConnectRouter,
	HandlerContext,
	ServiceImpl,
} from "@connectrpc/connect";

export interface RpcRoute {
	readonly service: DescService;
	readonly register: (router: ConnectRouter) => void;
}

export function rpcRoute<S extends DescService>(
	service: S,
	methods: Partial<ServiceImpl<S>>,
): RpcRoute {
	return { service, register: (router) => router.service(service, methods) };
}

/** What carries out one method of a contract: one file in the `rpc/` of a service. */
export type Handler<Ctx, Method extends DescMethodUnary> = (
	ctx: Ctx,
	request: MessageShape<Method["input"]>,
	context: HandlerContext,
) => Promise<MessageInitShape<Method["output"]>>;

type AnyHandler<Ctx> = (
	ctx: Ctx,
	request: never,
	context: HandlerContext,
) => unknown;

type Bound<Handlers> = {
	[Name in keyof Handlers]: Handlers[Name] extends (
		ctx: never,
		...rest: infer Rest
	) => infer Response
		? (...rest: Rest) => Response
		: never;
};

export function withContext<
	Ctx,
	Handlers extends Record<string, AnyHandler<Ctx>>,
>(ctx: Ctx, handlers: Handlers): Bound<Handlers> {
	return Object.fromEntries(
		Object.entries(handlers).map(([name, handler]) => [
			name,
			(request: never, context: HandlerContext) =>
				handler(ctx, request, context),
		]),
	) as Bound<Handlers>;
}
