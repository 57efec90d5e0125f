import { Command, InvalidArgumentError } from "commander";
import { faults } from "./faults/index.ts";
import type { Fault } from "./trial.ts";

export interface Options {
	readonly seeds: readonly number[];
	readonly faults: readonly number[];
	readonly long: boolean;
	readonly systems: number;
	readonly table?: string;
	readonly kubernetes: boolean;
}

const numberOf = ({ number }: Fault) => number;
const numbers = faults.map(numberOf);

/** Prints help and ends the process where it is asked for; refuses what is wrong in one sentence. */
export function parseOptions(args: readonly string[]): Options {
	const list = faults.map(({ number, name }) => `  ${number}  ${name}`);
	const given = new Command("npm run chaos --")
		.description(
			"Acts out faults under load on a system of its own (real processes, PostgreSQL and Kafka) and checks after each " +
				"that nothing is lost, doubled, leaked or stuck. Linux only.",
		)
		.option("--seeds <list>", "every fault once with each of them", toList, [1])
		.option(
			"--faults <list>",
			"only these; without it all, in the short form without those that compare times",
			toFaults,
		)
		.option("--long", "hold each fault as long as the design says", false)
		.option(
			"--systems <count>",
			"systems that run at the same time",
			toCount,
			1,
		)
		.option("--table <file>", "put the results into this Markdown file")
		.option(
			"--kubernetes",
			"delete pods and drain the node of the cluster of KUBECONFIG instead",
			false,
		)
		.addHelpText("after", `\nFaults:\n${list.join("\n")}\n`)
		.parse(args, { from: "user" })
		.opts<Omit<Options, "faults"> & Partial<Options>>();
	const usual = faults.filter(({ isAlone }) => given.long || !isAlone);
	return { ...given, faults: given.faults ?? usual.map(numberOf) };
}

function toList(text: string): number[] {
	const values = text.split(",").map(Number);
	if (values.some((value) => !Number.isInteger(value) || value < 1))
		throw new InvalidArgumentError("It takes whole numbers like 1,2,3.");
	return values;
}

function toFaults(text: string): number[] {
	const values = toList(text);
	const unknown = values.find((value) => !numbers.includes(value));
	if (unknown !== undefined)
		throw new InvalidArgumentError(`There is no fault ${unknown}.`);
	return values;
}

function toCount(text: string): number {
	return toList(text)[0] ?? 1;
}
