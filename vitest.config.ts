import { defineConfig } from "vitest/config";

/** They judge how long a good client waits, so nothing else may run beside them. */
const FLOODS = [
	"test/gateway-floods.test.ts",
	"platform/test/unauthenticated/*.test.ts",
];

/**
 * Whole systems, brokers and processes of their own, which are killed, frozen and restarted; servers lost and
 * restored, SMSCs of other makers: with `npm test -- --all`.
 */
const DRILLS = [
	"cli/test/reseal-secrets.test.ts",
	"dev/src/servers/postgres.test.ts",
	"dev/test/!(chaos-checker|kafka-failure-drill).test.ts",
	"platform/src/work/{clock-steps,singleton}.test.ts",
	"services/campaigns/test/frozen-holder.test.ts",
	"services/messaging/test/{binds/replicas,inbound/killed-receiver}.test.ts",
	"services/messaging/test/{route-health,route-take-up,routes-as-data,rules/rule-choices}.test.ts",
	"services/webhooks/test/{frozen,process}.test.ts",
	"services/*/test/unclaimable.test.ts",
	"test/{canceled-messages,daily-report,restore,sms-path,whatsapp-opt-outs}.test.ts",
	"test/{monitoring,python-client,smsc-java}/*.test.ts",
];

/**
 * With `npm run nightly`: the same as other tests, with ten times as much; lives and requests made up at random, of
 * which each run sees others; whether chaos sees what is broken by hand; how the Kafka of `npm start` starts and ends;
 * and one kind of kill or stop by itself, of those that faults of `npm run chaos` act out on a whole system under load:
 * 2 to 4 and 16, 3 and 10, 7, 15 and 22, 24.
 */
const NIGHTLY = [
	"services/messaging/test/preview-equals-send.test.ts",
	"test/{campaign-preview-drill,campaign-recovery,cancel-drill}.test.ts",
	"dev/src/servers/kafka.test.ts",
	"dev/test/{chaos-checker,kafka-failure-drill}.test.ts",
	"services/accounts/test/crash.test.ts",
	"services/campaigns/test/lives/lives.test.ts",
	"services/whatsapp/test/invariants.test.ts",
	"test/{drain,two-replicas}.test.ts",
	"services/messaging/test/{crash,failover/killed-move,inbound/killed-receiver-drill}.test.ts",
	"test/schemathesis/*.test.ts",
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
