import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";

export type App = Parameters<FastifyPluginAsyncZod>[0];

export type Routes = (app: App, ctx: Context) => void;
