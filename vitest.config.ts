import { defineConfig } from "vitest/config";

/** They judge how long a good client waits, so nothing else may run beside them. */
const FLOODS = [
	"test/gateway-floods.test.ts",
	"platform/test/unauthenticated/*.test.ts",
];

/**
 * Whole systems, brokers and processes of their own, which are killed, frozen and restarted; servers lost and
 * restored, SMSCs of other makers, a fuzzer: with `npm test -- --all`.
 */
const DRILLS = [
	"cli/test/reseal-secrets.test.ts",
	"dev/src/servers/*.test.ts",
	"dev/test/*.test.ts",
	"platform/src/work/{clock-steps,singleton}.test.ts",
	"services/accounts/test/crash.test.ts",
	"services/campaigns/test/frozen-holder.test.ts",
	"services/messaging/test/{binds/replicas,crash,failover/killed-move,inbound/killed-receiver}.test.ts",
	"services/messaging/test/{route-health,route-take-up,routes-as-data,rules/rule-choices}.test.ts",
	"services/webhooks/test/{frozen,process}.test.ts",
	"services/*/test/unclaimable.test.ts",
	"test/{canceled-messages,daily-report,drain,restore,sms-path,two-replicas,whatsapp-opt-outs}.test.ts",
	"test/{monitoring,python-client,schemathesis,smsc-java}/*.test.ts",
];

/** The same as other tests and faults of `npm run chaos`, with ten times as much: with `npm run nightly`. */
const NIGHTLY = [
	"services/messaging/test/preview-equals-send.test.ts",
	"test/{campaign-preview-drill,campaign-recovery,cancel-drill}.test.ts",
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
					exclude: ["**/node_modules/**", ...DRILLS, ...NIGHTLY, ...FLOODS],
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
					name: "nightly",
					include: NIGHTLY,
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
