import type { BenchSystem } from "./bench-system.ts";
import type { CallbackSink } from "./callback-sink.ts";
import type { Figure } from "./figures.ts";

/** What every section works with. */
export interface BenchContext {
	readonly bench: BenchSystem;
	readonly sink: CallbackSink;
	/** Length of the sustained run, s. */
	readonly seconds: number;
	readonly say: (text: string) => void;
}

/** Measures one thing on a system at rest, and leaves it at rest. */
export type Section = (context: BenchContext) => Promise<readonly Figure[]>;
