import { test } from "vitest";
import { receiveThroughKills } from "./receive-through-kills.ts";

const TIMEOUT_MS = 900_000;

test(
	"10,000 texts in shuffled parts over two binds, with repetitions, are each stored once, byte for byte, with one event, though processes are killed",
	() => receiveThroughKills(10_000),
	TIMEOUT_MS,
);
