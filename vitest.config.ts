import { defineConfig } from "vitest/config";

/** They judge how long a good client waits, so nothing else may run beside them. */
const FLOODS = [
	"test/gateway-floods.test.ts",
	"platform/test/unauthenticated/*.test.ts",
];

/**
 * Processes killed, frozen and restarted, servers lost and restored, a fuzzer: minutes each, with `npm test --
 * --all`.
 */
const DRILLS = [
	"cli/test/reseal-secrets.test.ts",
	"dev/test/{ensure-installed,event-bus-members,kafka-failure-drill,server-crash}.test.ts",
	"services/accounts/test/crash.test.ts",
	"services/campaigns/test/frozen-holder.test.ts",
	"services/messaging/test/{binds/replicas,crash,failover/killed-move,inbound/killed-receiver,preview-equals-send}.test.ts",
	"services/webhooks/test/{frozen,process}.test.ts",
	"services/*/test/unclaimable.test.ts",
	"test/{campaign-preview-drill,campaign-recovery,cancel-drill,crash-recovery,drain,restore,sms-path,two-replicas}.test.ts",
	"test/{python-client,schemathesis}/*.test.ts",
];

export default defineConfig({
	test: {
		globalSetup: ["test/global-setup.ts"],
		testTimeout: 600_000,
		hookTimeout: 600_000,
		pool: "forks",
		isolate: false,
		projects: [
			{
				extends: true,
				test: {
					name: "tests",
					include: [
						"{proto,platform,services,cli,simulators,dev,test}/**/*.test.ts",
					],
					exclude: ["**/node_modules/**", ...DRILLS, ...FLOODS],
					// Most tests wait for time-outs of others, not for a processor: more workers than processors. Vitest counts
					// them by group: these four run the tests and the drills, which come first.
					maxWorkers: 4,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "drills",
					include: DRILLS,
					maxWorkers: 4,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "floods",
					include: FLOODS,
					maxWorkers: 1,
					sequence: { groupOrder: 1 },
				},
			},
		],
	},
});
