import { afterAll, beforeAll, test } from "vitest";
import { startTarget, type Target, withstand } from "./under-flood.ts";

/** Of all rounds on a busy machine. */
const TIMEOUT_MS = 600_000;

let target: Target;

beforeAll(async () => {
	target = await startTarget();
});

afterAll(() => target.server.kill());

test.each([
	"unfinished bodies over HTTP/2",
	"unfinished bodies over HTTP/1.1",
	"streams that are reset",
	"silent connections",
	"connections that send nothing",
])(
	"%s of unauthenticated peers neither stop a service nor fill its memory",
	(flood) => withstand(flood, target),
	TIMEOUT_MS,
);
