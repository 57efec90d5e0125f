import type { Command, ProcessEnv } from "./launch.ts";
import type { ProcessIdentity } from "./process-identity.ts";

export type ProcessEvent =
	| { kind: "log"; process: string; line: string }
	| { kind: "waiting"; part: string; why: string }
	| {
			kind: "crashed";
			process: string;
			how: string;
			restartInMs: number | undefined;
	  }
	| { kind: "restarted"; process: string };

export interface Supervision {
	readonly logPath: string;
	/** Days that lines are kept which are not about single requests; 7 when absent. */
	readonly logDays?: number | undefined;
	readonly restartCrashed: boolean;
	readonly onEvent: (event: ProcessEvent) => void;
	/** Told which process runs now, as soon as there is one, and of undefined when none does. */
	readonly onIdentity: (identity?: ProcessIdentity) => Promise<void>;
	readonly signal: AbortSignal;
}

export interface ProcessSpec extends Supervision {
	readonly name: string;
	readonly title?: string;
	readonly command: Command;
	readonly extraEnv?: ProcessEnv;
	readonly isReady: (pid: number) => Promise<boolean>;
	/** Longest start, ms; 120,000 when absent. */
	readonly readyTimeoutMs?: number;
	/** Asked for what is told of a start that takes longer than 3 s. */
	readonly slowStart?: () => Promise<string>;
	readonly prepare?: () => Promise<void>;
	/** Ends it at once; SIGKILL when absent. */
	readonly killSignal?: NodeJS.Signals;
	/** True when its lines are for its log alone. */
	readonly isQuiet?: boolean;
}

/** For a process that nobody watches: it stays down when it crashes. */
export function unsupervised(logPath: string): Supervision {
	return {
		logPath,
		restartCrashed: false,
		onEvent: () => {},
		onIdentity: async () => {},
		signal: new AbortController().signal,
	};
}
