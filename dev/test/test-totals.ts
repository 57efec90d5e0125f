import type { TestModule } from "vitest/node";

interface TestTotals {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** Counts tests; a file that failed outside its tests, and each stray error, is a failure too. */
export function countTests(
	modules: readonly TestModule[],
	strayErrors: number,
): TestTotals {
	const tests = modules.flatMap((module) => [...module.children.allTests()]);
	const inState = (state: string) =>
		tests.filter((test) => test.result().state === state).length;
	const brokenFiles = modules.filter(
		(module) => module.state() === "failed" && !hasFailedTest(module),
	).length;
	return {
		passed: inState("passed"),
		failed: inState("failed") + inState("pending") + brokenFiles + strayErrors,
		skipped: inState("skipped"),
	};
}

function hasFailedTest(module: TestModule): boolean {
	return [...module.children.allTests("failed")].length > 0;
}

export function closingLine({ passed, failed, skipped }: TestTotals): string {
	const line = `${passed} passed, ${failed} failed`;
	return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
