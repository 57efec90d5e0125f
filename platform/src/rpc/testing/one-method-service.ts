import {
	type Access,
	AccessSchema,
	access,
} from "@airtower/proto/common/v1/access";
import {
	create,
	createFileRegistry,
	type DescService,
	setExtension,
} from "@bufbuild/protobuf";
import {
	FileDescriptorProtoSchema,
	file_google_protobuf_empty,
	MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";

/** A service `test.<name>` with the method `Do`, whose contract forgot what is not given here. */
export function oneMethodService(
	name: string,
	rule?: Pick<Access, "callers">,
): DescService {
	const options = create(MethodOptionsSchema);
	if (rule !== undefined)
		setExtension(options, access, create(AccessSchema, rule));
	const empty = ".google.protobuf.Empty";
	const file = create(FileDescriptorProtoSchema, {
		name: `test/${name}.proto`,
		package: "test",
		syntax: "proto3",
		dependency: ["google/protobuf/empty.proto"],
		service: [
			{
				name,
				method: [{ name: "Do", inputType: empty, outputType: empty, options }],
			},
		],
	});
	const registry = createFileRegistry(file, () => file_google_protobuf_empty);
	const service = registry.getService(`test.${name}`);
	if (service === undefined) throw new Error("the descriptor is malformed");
	return service;
}
