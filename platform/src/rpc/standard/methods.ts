import { Health } from "@airtower/proto/grpc/health/v1/health";
import { ServerReflection } from "@airtower/proto/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@airtower/proto/grpc/reflection/v1alpha/reflection";
import { BacklogService } from "@airtower/proto/ops/v1/backlog";
import type { DescMethod } from "@bufbuild/protobuf";

/** Health is public, reflection where the deployment says so; their contracts cannot carry our option. */
const STANDARD_SERVICES: ReadonlySet<string> = new Set([
	Health.typeName,
	ServerReflection.typeName,
	ServerReflectionAlpha.typeName,
]);

/** Called each second by who watches the service: neither logged nor traced while it succeeds. */
export function isProbe(method: DescMethod): boolean {
	return (
		isStandardMethod(method) ||
		method.parent.typeName === BacklogService.typeName
	);
}

export function isStandardMethod(method: DescMethod): boolean {
	return STANDARD_SERVICES.has(method.parent.typeName);
}

export function isHealthMethod(method: DescMethod): boolean {
	return method.parent.typeName === Health.typeName;
}
