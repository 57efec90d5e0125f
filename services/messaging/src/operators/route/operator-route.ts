import type { HttpRoute } from "../http/http-route.ts";
import type { SmppRoute } from "./smpp-route.ts";

/** What an operator is spoken to with, by its `kind`. */
export type OperatorRoute = SmppRoute | HttpRoute;
export type RouteKind = OperatorRoute["kind"];
