import { z } from "zod";

/** An id in its usual form; responses only, where nothing needs to be checked. */
export const uuidText = () =>
	z.string().meta({ format: "uuid", description: "UUIDv7." });

const success = z.literal(true);

/** No query parameter at all: what a route takes that declares none. */
export const noQuery = z.strictObject({});

/** The body of a POST that says all in its path, which may be left out. */
export const noBody = z.strictObject({});

export const successBody = <S extends z.core.$ZodLooseShape>(shape: S) =>
	z.strictObject({ success, ...shape });
