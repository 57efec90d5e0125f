import { defineConfig } from "vitest/config";

/** They judge how long a good client waits, so nothing else may run beside them. */
const ALONE = [
	"test/gateway-floods.test.ts",
	"platform/test/unauthenticated/**",
];

export default defineConfig({
	test: {
		globalSetup: ["test/global-setup.ts"],
		testTimeout: 180_000,
		hookTimeout: 240_000,
		pool: "forks",
		isolate: false,
		projects: [
			{
				extends: true,
				test: {
					name: "all",
					include: [
						"{proto,platform,services,cli,simulators,dev,test}/**/*.test.ts",
					],
					exclude: ["**/node_modules/**", ...ALONE],
					// Most tests wait for time-outs of others, not for a processor: more workers than processors.
					maxWorkers: 5,
					sequence: { groupOrder: 0 },
				},
			},
			{
				extends: true,
				test: {
					name: "alone",
					include: ALONE.map((path) => path.replace("**", "*.test.ts")),
					maxWorkers: 1,
					sequence: { groupOrder: 1 },
				},
			},
		],
	},
});
