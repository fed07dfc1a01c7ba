export { Environment } from './environment.ts';
export type { Library } from './declarations/library.ts';
export type { Ast, Compilation, EnvironmentOptions } from './environment.ts';
export { unbounded } from './check/cost-range.ts';
export type { CostEstimate, SizeEstimate } from './check/cost-range.ts';
export { noSizeHints, sizeHintsOf } from './check/size-hints.ts';
export type { SizeHints } from './check/size-hints.ts';
export type { Activation, Evaluation, Program, ProgramOptions } from './program/program.ts';
export type { Observe } from './program/observe.ts';
export { sourceTexts } from './syntax/source-text.ts';
export { ProgramError } from './program/program.ts';
export type { Issue } from './syntax/issue.ts';
export * from './types/declared-type.ts';
export { formatType } from './types/format-type.ts';
export * from './types/type.ts';
export { valueOf } from './values/from-json.ts';
export { toJson } from './values/to-json.ts';
export { CelError, isError } from './values/error.ts';
export { Double } from './values/double.ts';
export { Duration } from './values/duration.ts';
export { ArrayList } from './values/list.ts';
export { ListValue } from './values/value.ts';
export { mapOf } from './values/map.ts';
export { MapValue } from './values/value.ts';
export { OpaqueValue } from './values/value.ts';
export { Optional, none } from './values/value.ts';
export { StructValue } from './values/value.ts';
export { Timestamp } from './values/timestamp.ts';
export { TypeValue } from './values/type-value.ts';
export { Uint } from './values/uint.ts';
export type { Value } from './values/value.ts';
export { baseEnvironment } from './kubernetes/base-environment.ts';
export { earlierEnvironment, newestLibrary } from './kubernetes/earlier-environment.ts';
export { admissionRequestType } from './kubernetes/admission-request.ts';
export { namespaceType } from './kubernetes/namespace.ts';
export { declaredTypeOfSchema } from './kubernetes/schema-type.ts';
export type { SchemaProps } from './kubernetes/schema-type.ts';
export { escapeFieldName, unescapeFieldName } from './kubernetes/escape.ts';
export {
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './library/authorizer.ts';
export type {
  AuthorizationAnswer,
  AuthorizationQuestion,
  Authorizer,
  ResourceQuestion,
} from './library/authorizer.ts';
export { jsonPatchLibrary } from './library/json-patch.ts';
export { QuantityValue, quantityValue } from './library/quantity.ts';
export { deviceType } from './kubernetes/device.ts';
export { ObjectValue, PatchOperation, misnamedTypes, mutationTypes } from './kubernetes/mutation-types.ts';
export { bindingsLibrary } from './library/bindings.ts';
export * from './kubernetes/limits.ts';
export { requestSizeMax } from './kubernetes/schema-type.ts';
