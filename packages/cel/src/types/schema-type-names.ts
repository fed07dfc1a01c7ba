import { durationType, timestampType, type CelType } from './type.ts';

/** Names that the checker knows as types if a schema declares any, but that no program can evaluate. */
export const schemaTypeNames: ReadonlyMap<string, CelType> = new Map([
  ['duration', durationType],
  ['timestamp', timestampType],
]);
