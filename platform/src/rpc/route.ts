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
	readonly share?: CallShare | undefined;
}

/** Methods that may not take all of a server's call slots, because anybody can bring their calls about. */
export interface CallShare<Method extends string = string> {
	readonly methods: readonly Method[];
	/** Calls of these methods together at a time. */
	readonly slots: number;
}

export function rpcRoute<S extends DescService>(
	service: S,
	methods: Partial<ServiceImpl<S>>,
	share?: CallShare<string & keyof S["method"]>,
): RpcRoute {
	const register = (router: ConnectRouter) => {
		router.service(service, methods);
	};
	return { service, register, share };
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
