import {
	compareMigrations,
	compareSettings,
	compareTopics,
	readEnded,
} from "./compare.ts";
import { compareContracts } from "./contracts.ts";
import { readPresent } from "./present.ts";
import { contractsFile, lastRelease } from "./releases.ts";

/* Whether the files as they are keep what the last release promises to other processes, databases and deployments. */
const last = await lastRelease();
const present = await readPresent();
const ended = await readEnded();
const isEnded = (name: string) => ended[name] !== undefined;
const broken = [
	...(await compareContracts(contractsFile(last.version))),
	...compareMigrations(last, present),
	...compareSettings(last, present, isEnded),
	...compareTopics(last, present, isEnded),
];
for (const sentence of broken) process.stderr.write(`${sentence}\n`);
if (broken.length > 0) {
	process.stderr.write(
		`This breaks release ${last.version}: add, and take away a release later (CONTRIBUTING, Upgrades).\n`,
	);
	process.exitCode = 1;
}
