import { test } from "vitest";
import { withstand } from "./under-flood.ts";

/** Of all rounds on a busy machine. */
const TIMEOUT_MS = 600_000;

test.each([
	"unfinished bodies over HTTP/2",
	"unfinished bodies over HTTP/1.1",
	"streams that are reset",
	"silent connections",
	"connections that send nothing",
])(
	"%s of unauthenticated peers neither stop a service nor fill its memory",
	withstand,
	TIMEOUT_MS,
);
