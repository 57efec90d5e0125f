import {
	type DescExtension,
	type DescFile,
	type DescService,
	toBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** What server reflection can be asked about a set of services. */
export interface DescriptorIndex {
	readonly services: readonly string[];
	/** Serialized descriptors of the file, then of all it imports; undefined when unknown. */
	fileNamed(name: string): Uint8Array[] | undefined;
	fileDeclaring(symbol: string): Uint8Array[] | undefined;
	fileExtending(typeName: string, number: number): Uint8Array[] | undefined;
	/** Numbers of the known extensions of a message; undefined when the message is unknown. */
	extensionsOf(typeName: string): number[] | undefined;
}

/** Indexes the files of the services and everything they import. */
export function indexDescriptors(
	services: readonly DescService[],
): DescriptorIndex {
	const files = withImports(services.map((service) => service.file));
	const byName = new Map(files.map((file) => [file.proto.name, file]));
	const bySymbol = new Map(
		files.flatMap((file) => symbolsOf(file).map((symbol) => [symbol, file])),
	);
	const extensions = files.flatMap(extensionsIn);

	return {
		services: services.map((service) => service.typeName),
		fileNamed: (name) => serialize(byName.get(name)),
		fileDeclaring: (symbol) => serialize(bySymbol.get(symbol)),
		fileExtending: (typeName, number) =>
			serialize(
				extensions.find(
					(extension) =>
						extension.extendee.typeName === typeName &&
						extension.number === number,
				)?.file,
			),
		extensionsOf: (typeName) =>
			bySymbol.has(typeName)
				? extensions
						.filter((extension) => extension.extendee.typeName === typeName)
						.map((extension) => extension.number)
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

function symbolsOf(file: DescFile): string[] {
	return [...nestedTypes(file)].flatMap((type) => {
		switch (type.kind) {
			case "service":
				return [
					type.typeName,
					...type.methods.map(({ name }) => `${type.typeName}.${name}`),
				];
			case "message":
				return [
					type.typeName,
					...type.fields.map(({ name }) => `${type.typeName}.${name}`),
				];
			default:
				return [type.typeName];
		}
	});
}

function extensionsIn(file: DescFile): DescExtension[] {
	return [...nestedTypes(file)].filter((type) => type.kind === "extension");
}
