import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["{proto,platform,services,cli,simulators,dev,test}/**/*.test.ts"],
		globalSetup: ["test/global-setup.ts"],
		testTimeout: 180_000,
		hookTimeout: 240_000,
		// Most tests wait for time-outs of others, not for a processor: more workers than processors.
		maxWorkers: 5,
		pool: "forks",
		isolate: false,
	},
});
