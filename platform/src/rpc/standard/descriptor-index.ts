import {
	type DescEnum,
	type DescExtension,
	type DescFile,
	type DescMessage,
	type DescService,
	toBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

export interface DescriptorIndex {
	readonly services: readonly string[];
	/** Serialized descriptors of the file, then of all it imports; undefined when unknown. */
	fileNamed(name: string): Uint8Array[] | undefined;
	fileDeclaring(symbol: string): Uint8Array[] | undefined;
	fileExtending(typeName: string, number: number): Uint8Array[] | undefined;
	/** Numbers of the known extensions of a message; undefined when the message is unknown. */
	extensionsOf(typeName: string): number[] | undefined;
}

export function indexDescriptors(
	services: readonly DescService[],
): DescriptorIndex {
	const files = withImports(services.map((service) => service.file));
	const types = files.flatMap((file) => [...nestedTypes(file)]);
	const byName = new Map(files.map((file) => [file.proto.name, file]));
	const bySymbol = new Map(
		types.flatMap((type) =>
			symbolsOf(type).map((symbol) => [symbol, type.file] as const),
		),
	);
	const extending = (typeName: string) =>
		types
			.filter((type) => type.kind === "extension")
			.filter(({ extendee }) => extendee.typeName === typeName);

	return {
		services: services.map((service) => service.typeName),
		fileNamed: (name) => serialize(byName.get(name)),
		fileDeclaring: (symbol) => serialize(bySymbol.get(symbol)),
		fileExtending: (typeName, number) =>
			serialize(extending(typeName).find((one) => one.number === number)?.file),
		extensionsOf: (typeName) =>
			bySymbol.has(typeName)
				? extending(typeName).map(({ number }) => number)
				: undefined,
	};
}

function withImports(roots: readonly DescFile[]): DescFile[] {
	const files = new Set(roots);
	for (const file of files)
		for (const imported of file.dependencies) files.add(imported);
	return [...files];
}

function serialize(file: DescFile | undefined): Uint8Array[] | undefined {
	if (file === undefined) return undefined;
	return withImports([file]).map(({ proto }) =>
		toBinary(FileDescriptorProtoSchema, proto),
	);
}

function symbolsOf(type: DescEnum | DescExtension | DescMessage | DescService) {
	const members =
		type.kind === "service"
			? type.methods
			: type.kind === "message"
				? type.fields
				: [];
	return [
		type.typeName,
		...members.map(({ name }) => `${type.typeName}.${name}`),
	];
}
