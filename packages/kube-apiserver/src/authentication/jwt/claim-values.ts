/** Converts claims to values for expressions. */
import { ArrayList, Double, ListValue, MapValue, unescapeFieldName, type Value } from '@coxswain/cel';

type Members = Readonly<Record<string, unknown>>;

/** Numbers are doubles, as upstream decodes JSON; names may be escaped: `claims.a__dot__b`. */
export function claimValue(json: unknown): Value {
  if (typeof json === 'number') return new Double(json);
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json !== 'object' || json === null) return null;
  return Array.isArray(json) ? new ArrayList(json.map(claimValue)) : new ClaimMap(json as Members);
}

class ClaimMap extends MapValue {
  readonly #members: Members;

  constructor(members: Members) {
    super();
    this.#members = members;
  }

  get size(): number {
    return Object.keys(this.#members).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescapeFieldName(key) ?? key;
    return Object.hasOwn(this.#members, name) ? claimValue(this.#members[name]) : undefined;
  }

  keys(): readonly Value[] {
    return Object.keys(this.#members);
  }
}

const notStrings = 'expression must return a string or a list of strings';

/** For a mapping that may yield several strings; empty values count as absent. @throws Error */
export function stringsOf(value: Value): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!(value instanceof ListValue)) throw new Error(notStrings);
  return value.items().flatMap((item) => {
    if (typeof item !== 'string') throw new Error(notStrings);
    return item === '' ? [] : [item];
  });
}
