/** Generates OpenAPI v2 and v3 from the kinds and a plain table of resources. */

export { definitionsOf } from './openapi/definitions.ts';
export { FragmentMaker } from './openapi/fragment-maker.ts';
export { DocumentPart, partsOf } from './openapi/document-part.ts';
export type { DocumentFragment, EncodedDocument } from './openapi/document-part.ts';
export { openApiV2 } from './openapi/document-v2.ts';
export { openApiV2Protobuf } from './openapi/document-v2-protobuf.ts';
export { customOpenApiV3, openApiV3, plainOpenApiV3 } from './openapi/document-v3.ts';
export { openApiV3Protobuf } from './openapi/document-v3-protobuf.ts';
export type { CustomDescription } from './openapi/custom-definitions.ts';
export { definitionName } from './openapi/names.ts';
export { groupVersionPath } from './openapi/operations.ts';
export { queryParametersOf } from './openapi/parameters.ts';
export { corePath, groupPath, groupsPath, issuerPaths, versionPath } from './openapi/plain-operations.ts';
export type { PlainPath } from './openapi/plain-operations.ts';
export type {
  DefinitionOptions,
  DescriptionOf,
  Dialect,
  GroupVersionKind,
  OpenApiSchema,
} from './openapi/definitions.ts';
export type { DocumentOptions } from './openapi/document-v3.ts';
export type { OpenApiGroupVersion, OpenApiResource, OpenApiSubresource } from './openapi/operations.ts';
export type { OpenApiParameter } from './openapi/parameters.ts';
