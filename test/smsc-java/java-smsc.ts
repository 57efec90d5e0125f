import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fetchJars, javaEnv } from "@airtower/dev/servers/maven-jars";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** As in pom.xml. */
const VERSIONS = "ch-smpp-5.0.9-jsmpp-3.0.1";

/** Libraries that an SMSC here is made of. */
export const LIBRARIES = ["Cloudhopper", "Jsmpp"] as const;
type Library = (typeof LIBRARIES)[number];

const here = fileURLToPath(new URL(".", import.meta.url));
const jars = {
	name: "the Java SMSCs",
	pom: join(here, "pom.xml"),
	libs: join(here, "../../.cache", VERSIONS, "libs"),
	otherwise: "",
};

/** A message as the SMSC put it together. */
interface DecodedMessage {
	readonly destination: string;
	readonly parts: number;
	readonly text: string;
	readonly tlvs: string;
}

interface JavaSmsc {
	readonly port: number;
	/** In the order in which they were whole. */
	readonly messages: readonly DecodedMessage[];
}

/** Stores by which clients have to show a certificate. */
interface JavaStores {
	readonly keystore: string;
	readonly truststore: string;
	readonly password: string;
}

/** Starts the SMSC of a library from its source, `<library>Smsc.java`; it ends after the test. */
export async function startJavaSmsc(
	library: Library,
	stores?: JavaStores,
): Promise<JavaSmsc> {
	const messages: DecodedMessage[] = [];
	const { port } = await startJava(
		`${library}Smsc`,
		stores ? [stores.keystore, stores.truststore, stores.password] : [],
		(words) => void messages.push(toMessage(words)),
	);
	return { port, messages };
}

/** A program that listens. */
interface JavaProgram {
	readonly port: number;
	/** Writes a line to its standard input. */
	write(line: string): void;
}

/**
 * Starts a program of this folder from its source and waits until it listens; it ends after the test. `onLine` is given
 * the words of each later line of its standard output, but for the first.
 */
export async function startJava(
	name: string,
	args: readonly string[],
	onLine: (words: string[]) => void,
): Promise<JavaProgram> {
	await demandCompiler();
	const libs = await fetchJars(jars);
	const source = join(here, `${name}.java`);
	const child = spawn(
		"java",
		["-Xmx128m", "-cp", `${libs}/*`, source, ...args],
		{ env: javaEnv(), stdio: ["pipe", "pipe", "inherit"] },
	);
	const ended = once(child, "exit");
	onTestFinished(async () => {
		child.stdin.end();
		await ended;
	});
	const listening = Promise.withResolvers<number>();
	createInterface({ input: child.stdout }).on("line", (line) => {
		const [kind, ...words] = line.split(" ");
		if (kind === "port") listening.resolve(Number(words[0]));
		else onLine(words);
	});
	void ended.then(([code]) =>
		listening.reject(new Error(`${name}.java ended with ${code}.`)),
	);
	return {
		port: await listening.promise,
		write: (line) => void child.stdin.write(`${line}\n`),
	};
}

function toMessage([
	destination = "",
	parts = "",
	text = "",
	...tlvs
]: string[]): DecodedMessage {
	return {
		destination,
		parts: Number(parts),
		text: Buffer.from(text, "base64").toString(),
		tlvs: tlvs.join(" "),
	};
}

async function demandCompiler(): Promise<void> {
	const modules = await run("java", ["--list-modules"]).catch(() => undefined);
	if (!modules?.stdout.includes("jdk.compiler"))
		throw new Error(
			"The SMSC of another maker needs a JDK 17 or newer; install openjdk-17-jdk-headless.",
		);
}
