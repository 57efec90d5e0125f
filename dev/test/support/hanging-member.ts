import { type BusAddress, openBus } from "./bus-server.ts";

/** What {@link BusAddress} and subscription this process takes, as JSON in its first argument. */
export interface HangingMember {
	readonly address: BusAddress;
	readonly group: string;
	readonly topic: string;
	readonly sessionTimeoutMs?: number;
}

/** A member of a group that takes its first batch and never finishes it: it waits to be killed. */
const member = JSON.parse(process.argv[2] ?? "") as HangingMember;
const bus = await openBus(
	member.address,
	undefined,
	undefined,
	member.sessionTimeoutMs,
);
await bus.subscribe({
	group: member.group,
	topics: [member.topic],
	onBatch: async () => {
		process.stdout.write("holding\n");
		await new Promise(() => {});
	},
});
process.stdout.write("joined\n");
