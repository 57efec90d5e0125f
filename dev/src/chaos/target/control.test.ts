import { expect, test } from "vitest";
import { StartError } from "../../processes/start-error.ts";
import type { ExtraEnv, System } from "../../start/system.ts";
import { controlOf } from "./control.ts";
import { CrashLog } from "./watch.ts";

const settings = {} as Parameters<typeof controlOf>[1];

test("a process that comes to its fault point while it starts has died there, and is started again", async () => {
	const starts: (string | undefined)[] = [];
	const restart = async (_name: string, { env }: { env?: ExtraEnv } = {}) => {
		starts.push(env?.FAULT_POINTS);
		if (env?.FAULT_POINTS !== undefined)
			throw new StartError("whatsapp did not start: it was ended by SIGKILL.");
	};
	const system = { restart } as Pick<System, "restart"> as System;
	const control = controlOf(system, settings, new CrashLog());
	await control.dieAt("whatsapp", "relay.after_publish", 1);
	expect(starts).toEqual(["relay.after_publish:1", undefined]);
});

test("a process that does not start for another reason fails the fault", async () => {
	const restart = () => Promise.reject(new StartError("Port 1 is taken."));
	const system = { restart } as Pick<System, "restart"> as System;
	const control = controlOf(system, settings, new CrashLog());
	await expect(
		control.dieAt("whatsapp", "relay.after_publish", 1),
	).rejects.toThrow("Port 1 is taken.");
});
