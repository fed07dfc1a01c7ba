import type { CelType } from './type.ts';

/** A type as in the checker's messages: `map(string, list(int))`. */
export function formatType(type: CelType): string {
  const fixed = fixedNames[type.kind];
  if (fixed !== undefined) return fixed;
  if (type.kind === 'opaque' && type.name === 'function') {
    const [result, ...arguments_] = type.parameters;
    return `${formatSignature(arguments_, false)} -> ${formatType(result!)}`;
  }
  if (type.parameters.length === 0) return type.nullable ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.parameters.map(formatType).join(', ')})`;
}

/** The types of a call's arguments: `(int, string)`, or `list(int).(int)` for a member call. */
export function formatSignature(argumentTypes: readonly CelType[], isMember: boolean): string {
  const [target, ...rest] = isMember ? argumentTypes : [undefined, ...argumentTypes];
  const prefix = target ? `${formatType(target)}.` : '';
  return `${prefix}(${rest.map((type) => formatType(type!)).join(', ')})`;
}

const fixedNames: Readonly<Partial<Record<CelType['kind'], string>>> = {
  any: 'any',
  duration: 'duration',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
};
