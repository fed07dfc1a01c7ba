/** Assignability of types, given what is known about type parameters. */

import {
  isDynamic,
  isSameType,
  listType,
  mapType,
  nullType,
  opaqueType,
  typeOfType,
  dynType,
  type CelType,
} from '../types/type.ts';

/** The types of type parameters. */
export class Substitutions {
  readonly #types = new Map<string, CelType>();
  /** What the current attempt replaced: a long expression has thousands of parameters, too many to copy at each call. */
  readonly #replaced: (readonly [name: string, before: CelType | undefined])[] = [];

  get(name: string): CelType | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: CelType): void {
    this.#replaced.push([name, this.#types.get(name)]);
    this.#types.set(name, type);
  }

  /** Undoes what `matches` sets unless it succeeds. */
  attempt(matches: () => boolean): boolean {
    this.#replaced.length = 0;
    if (matches()) return true;
    for (const [name, before] of this.#replaced.toReversed()) {
      if (before === undefined) this.#types.delete(name);
      else this.#types.set(name, before);
    }
    return false;
  }
}

/** Whether the types match; if so, the substitutions that make them match are added. */
export const assign = (known: Substitutions, one: CelType, other: CelType): boolean =>
  assignAll(known, [one], [other]);

export const assignAll = (
  known: Substitutions,
  ones: readonly CelType[],
  others: readonly CelType[],
): boolean => known.attempt(() => areAssignable(known, ones, others));

/** The type with its parameters replaced. */
export function substitute(
  known: Pick<Substitutions, 'get'>,
  type: CelType,
  unknownIsDynamic: boolean,
): CelType {
  if (type.kind === 'typeParameter') {
    const found = known.get(type.name);
    if (found) return substitute(known, found, unknownIsDynamic);
    return unknownIsDynamic ? dynType : type;
  }
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((parameter) => substitute(known, parameter, unknownIsDynamic));
  switch (type.kind) {
    case 'list':
      return listType(parameters[0]!);
    case 'map':
      return mapType(parameters[0]!, parameters[1]!);
    case 'type':
      return typeOfType(parameters[0]!);
    default:
      return opaqueType(type.name, ...parameters);
  }
}

export const mostGeneral = (one: CelType, other: CelType): CelType =>
  isEqualOrLessSpecific(one, other) ? one : other;

function isAssignable(known: Substitutions, one: CelType, other: CelType): boolean {
  if (other.kind === 'typeParameter') {
    const hadSubstitute = known.get(other.name) !== undefined;
    if (bind(known, one, other)) return true;
    if (hadSubstitute) return false;
  }
  if (one.kind === 'typeParameter') return bind(known, other, one);
  if (isDynamic(one) || isDynamic(other) || one.kind === 'error' || other.kind === 'error') return true;
  if (one.kind === 'null') return takesNull(other);
  if (other.kind === 'null') return takesNull(one);
  switch (one.kind) {
    case 'type':
      return other.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return (
        one.kind === other.kind &&
        one.name === other.name &&
        areAssignable(known, one.parameters, other.parameters)
      );
    default:
      return one.kind === other.kind && one.name === other.name;
  }
}

function areAssignable(known: Substitutions, ones: readonly CelType[], others: readonly CelType[]): boolean {
  if (ones.length !== others.length) return false;
  return ones.every((one, index) => isAssignable(known, one, others[index]!));
}

/** Whether the parameter may be substituted by the type; records it if so. */
function bind(known: Substitutions, type: CelType, parameter: CelType): boolean {
  if (isSameType(type, parameter)) return true;
  const current = known.get(parameter.name);
  if (!current) {
    if (occursIn(known, parameter, type)) return false;
    known.set(parameter.name, type);
    return true;
  }
  if (isSameType(type, current)) return true;
  if (!isAssignable(known, type, current)) return false;
  const general = mostGeneral(type, current);
  if (!occursIn(known, parameter, general)) known.set(parameter.name, general);
  return true;
}

function takesNull(type: CelType): boolean {
  return nullables.has(type.kind) || type.nullable === true || type.kind === nullType.kind;
}

const nullables: ReadonlySet<CelType['kind']> = new Set(['opaque', 'struct', 'any', 'duration', 'timestamp']);

function isEqualOrLessSpecific(one: CelType, other: CelType): boolean {
  if (isDynamic(one) || one.kind === 'typeParameter') return true;
  if (isDynamic(other) || other.kind === 'typeParameter') return false;
  if (one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'opaque':
      if (one.name !== other.name || one.parameters.length !== other.parameters.length) return false;
      return one.parameters.every((parameter, index) =>
        isEqualOrLessSpecific(parameter, other.parameters[index]!),
      );
    case 'list':
    case 'map':
      return one.parameters.every((parameter, index) =>
        isEqualOrLessSpecific(parameter, other.parameters[index]!),
      );
    case 'type':
      return true;
    default:
      return isSameType(one, other);
  }
}

/** Whether a type parameter is part of the type that it would be substituted by. */
function occursIn(known: Substitutions, parameter: CelType, type: CelType): boolean {
  if (isSameType(parameter, type)) return true;
  if (type.kind === 'typeParameter') {
    const found = known.get(type.name);
    return found !== undefined && occursIn(known, parameter, found);
  }
  return type.parameters.some((inner) => occursIn(known, parameter, inner));
}
