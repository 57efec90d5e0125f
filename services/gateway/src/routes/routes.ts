import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";

/** An application whose routes check and describe themselves with zod schemas. */
export type App = Parameters<FastifyPluginAsyncZod>[0];

/** Adds the routes of one resource. */
export type Routes = (app: App, ctx: Context) => void;
