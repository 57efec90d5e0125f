import type {
	BusEvent,
	EventBus,
	SubscribeOptions,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import {
	type BusAddress,
	type BusServer,
	openBus,
	sharedKafka,
	startPostgresServer,
} from "./bus-server.ts";

const { source, brokers } = await sharedKafka();

const adapters = [
	{ adapter: "postgres", missing: false, start: startPostgresServer },
	{
		adapter: "kafka",
		missing: source === undefined,
		start: async () => ({
			address: { kind: "kafka", brokers } as const,
			stop: async () => {},
		}),
	},
];

/** A bus, with a topic and a group that each test has for itself. */
export interface ContractBus {
	readonly address: BusAddress;
	readonly bus: EventBus;
	readonly topic: string;
	readonly group: string;
	subscribe(
		onBatch: SubscribeOptions["onBatch"],
		options?: Partial<SubscribeOptions>,
	): Promise<Subscription>;
	events(count: number, keys?: number): BusEvent[];
}

/** The same tests on every adapter; `use` is filled before the first of them. */
export function describeBuses(tests: (use: ContractBus) => void): void {
	describe.each(adapters)("$adapter event bus", ({ missing, start }) => {
		const use = {} as ContractBus;
		const steps: (() => Promise<void>)[] = [];
		const open: Subscription[] = [];
		let serial = 0;

		beforeAll(async () => {
			if (missing) return;
			const { address, stop }: Pick<BusServer, "address" | "stop"> =
				await start();
			steps.unshift(stop);
			const bus = await openBus(address);
			steps.unshift(bus.close);
			Object.assign(use, { address, bus, ...actOn(use, open) });
		});

		afterAll(() => closeAll(steps));

		beforeEach(({ skip }) => {
			skip(missing, "no Kafka on this machine");
			const suffix = `${++serial}.${Date.now()}`;
			Object.assign(use, {
				topic: `contract.${suffix}`,
				group: `group.${suffix}`,
			});
		});

		afterEach(() => closeAll(open.splice(0).map(({ close }) => close)));

		tests(use);
	});
}

function actOn(
	use: ContractBus,
	open: Subscription[],
): Pick<ContractBus, "subscribe" | "events"> {
	return {
		async subscribe(onBatch, options) {
			const defaults = { group: use.group, topics: [use.topic] };
			const made = await use.bus.subscribe({
				...defaults,
				...options,
				onBatch,
			});
			open.push(made);
			return made;
		},
		events: (count, keys = 1) =>
			Array.from({ length: count }, (_, at) =>
				testEvent({ topic: use.topic, key: `key ${at % keys}` }),
			),
	};
}
