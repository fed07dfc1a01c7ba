/** Server-side apply and managedFields. See `structured-merge/field-manager.ts`. */

export { ApplyConflictError } from './structured-merge/conflict.ts';
export { compare, isSame } from './structured-merge/compare.ts';
export { BadConfigurationError, FieldManager } from './structured-merge/field-manager.ts';
export { lastAppliedAnnotation } from './structured-merge/last-applied.ts';
export { excludeFields } from './structured-merge/reset-fields.ts';
export type { FieldFilter } from './structured-merge/reset-fields.ts';
export {
  difference,
  intersection,
  isEmptySet,
  isSubset,
  recursiveDifference,
  sameSet,
  setOf,
  union,
} from './field-set.ts';
export { decodeManagers } from './structured-merge/managers.ts';
export { ownedFields } from './structured-merge/owned-fields.ts';
export { canonical, pathText } from './structured-merge/path-element.ts';
export { parentManagersOf, scaleManagersOf } from './structured-merge/scale-managers.ts';
export { ConfigurationError } from './structured-merge/validate.ts';
export { ConversionError, ConversionNeeded } from './structured-merge/versions.ts';
export type { Comparison } from './structured-merge/compare.ts';
export type { Conflict } from './structured-merge/conflict.ts';
export type {
  Applied,
  ApplyRequest,
  FieldManagerOptions,
  UpdateRequest,
} from './structured-merge/field-manager.ts';
export type { ReplicasPaths } from './structured-merge/scale-managers.ts';
export type { FieldSet } from './field-set.ts';
export type { ConvertTo } from './structured-merge/versions.ts';
