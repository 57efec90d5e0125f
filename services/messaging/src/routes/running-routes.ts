import type { Logger } from "@airtower/platform/runtime/log";
import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import { LINGER_MS } from "@airtower/platform/work/worker";
import type { DeliveryContext, Dispatcher } from "../context.ts";
import { createDispatcher } from "../dispatching/dispatcher.ts";
import type { Operator } from "../operators/operator.ts";
import type { OperatorRoute } from "../operators/route/operator-route.ts";
import { insertBindSlots } from "../store/routes/bind-slots.ts";
import { leaveRoute } from "../store/routes/route-connections.ts";
import { closeRouteSeries, openRouteSeries } from "../telemetry.ts";
import type { Route } from "./routes.ts";

/** Time between two looks for due messages of which nobody told, ms. */
const LOOK_EVERY_MS = 250;

/** What a process that delivers runs for each route. */
export interface RunningRoutes {
	/** Brings what runs in line with these routes; what none of their changes concerns goes on untouched. */
	follow(routes: readonly Route[]): Promise<void>;
	/** Lets all routes look for due messages. */
	wake(): void;
	/** Ends claiming on all routes; what is under way goes on. */
	stopDispatch(): Promise<void>;
	/** Waits for the operators' responses, then closes the connections. */
	closeOperators(): Promise<void>;
}

interface RunningRoute {
	route: Route;
	readonly dispatcher: Dispatcher;
	readonly loop: Loop;
	readonly stop: AbortController;
}

/** @param openOperator connects nothing yet */
export function createRunningRoutes(
	ctx: DeliveryContext,
	openOperator: (settings: OperatorRoute) => Operator,
): RunningRoutes {
	const { sql, log, dispatchers } = ctx;
	const running = new Map<string, RunningRoute>();
	const stopLooking = new AbortController();
	/** All routes look together, so that one statement does for all that have nothing to send. */
	const looking = runLoop({
		name: "look-for-due",
		intervalMs: LOOK_EVERY_MS,
		log,
		signal: stopLooking.signal,
		runOnce: async () => {
			wake();
			return 0;
		},
	});
	/** Routes that were removed, until their connections are closed: only then they may be opened again. */
	const ending = new Map<string, Promise<void>>();

	async function open(route: Route): Promise<void> {
		const { code, settings } = route;
		await insertBindSlots(sql, code, settings.binds);
		const operator = openOperator(settings);
		openRouteSeries(ctx.telemetry, code);
		const mayClaim = () => running.get(code)?.route.state !== "paused";
		const dispatcher = createDispatcher(ctx, operator, mayClaim);
		operator.start({
			onReceipt: ctx.receiptIntake.add,
			onMessage: ctx.inboundIntake.add,
			onResponse: dispatcher.responded,
		});
		const stop = new AbortController();
		const loop = startDispatch(dispatcher, log, stop.signal);
		running.set(code, { route, dispatcher, loop, stop });
		dispatchers.push(dispatcher);
	}

	async function change(one: RunningRoute, route: Route): Promise<void> {
		const { code, settings } = route;
		await insertBindSlots(sql, code, settings.binds);
		one.route = route;
		one.dispatcher.operator.change(settings);
		one.loop.wake();
	}

	/** No message waits for a removed route. */
	async function end({ route, ...one }: RunningRoute): Promise<void> {
		const { code } = route;
		const { dispatcher } = one;
		try {
			one.stop.abort();
			await one.loop.done;
			dispatchers.splice(dispatchers.indexOf(dispatcher), 1);
			await dispatcher.operator.close();
			await dispatcher.idle();
			await leaveRoute(sql, { route: code, token: ctx.lease.token() });
			await closeRouteSeries(ctx.telemetry, code);
		} catch (err) {
			log.warn({ err, route: code }, "a removed route did not end cleanly");
		}
	}

	/** Opened again, by a later round, once it is closed. */
	function close(one: RunningRoute): void {
		const { code } = one.route;
		running.delete(code);
		ending.set(
			code,
			end(one).finally(() => ending.delete(code)),
		);
	}

	function wake(): void {
		for (const { dispatcher, loop } of running.values()) {
			dispatcher.workAnnounced();
			loop.wake();
		}
	}

	return {
		async follow(routes) {
			for (const route of routes) {
				const one = running.get(route.code);
				if (one !== undefined) {
					if (one.route.version === route.version) continue;
					if (one.route.settings.kind === route.settings.kind)
						await change(one, route);
					else close(one);
				} else if (!ending.has(route.code)) await open(route);
			}
			const codes = new Set(routes.map(({ code }) => code));
			for (const [code, one] of running) if (!codes.has(code)) close(one);
		},
		wake,
		async stopDispatch() {
			stopLooking.abort();
			await looking.done;
			for (const { stop } of running.values()) stop.abort();
			await Promise.all([...running.values()].map(({ loop }) => loop.done));
			for (const { dispatcher } of running.values()) await dispatcher.release();
		},
		async closeOperators() {
			const operators = dispatchers.map(({ operator }) => operator.close());
			await Promise.all([...operators, ...ending.values()]);
		},
	};
}

function startDispatch(
	{ operator, nextRound }: Dispatcher,
	log: Logger,
	signal: AbortSignal,
): Loop {
	return runLoop({
		name: `dispatch ${operator.code}`,
		intervalMs: undefined,
		lingerMs: LINGER_MS,
		get batchSize() {
			return Math.ceil(operator.window / 2);
		},
		log,
		signal,
		runOnce: nextRound,
	});
}
