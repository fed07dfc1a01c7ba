/**
 * The path language of scenarios: `a.b`, `a["x/y"]`, `list[2]`, `list[-1]`, `list[name=web]`, `list[*].x`, `list.#`
 * (how many), and conditions over it: `path==v`, `!=`, `>=`, `<=`, `>`, `<`, `~=` (a pattern), `path?` (there), `path!`.
 */

type Part =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'where'; readonly path: string; readonly value: string }
  | { readonly kind: 'all' }
  | { readonly kind: 'count' };

const partForm = /\["([^"]*)"\]|\['([^']*)'\]|\[([^\]]*)\]|([^.[]+)/g;

const partsOf = (path: string): Part[] =>
  [...path.matchAll(partForm)].map(([, double, single, inner, plain]): Part => {
    const quoted = double ?? single;
    if (quoted !== undefined) return { kind: 'key', key: quoted };
    if (inner === undefined) return plain === '#' ? { kind: 'count' } : { kind: 'key', key: plain! };
    if (inner === '*') return { kind: 'all' };
    if (/^-?\d+$/.test(inner)) return { kind: 'index', index: Number(inner) };
    const at = inner.indexOf('=');
    return { kind: 'where', path: inner.slice(0, at), value: inner.slice(at + 1) };
  });

/** All that a path leads to; of what is not there, the count is 0. */
export function select(object: unknown, path: string): readonly unknown[] {
  const found = partsOf(path).reduce<unknown[]>(
    (values, part) => values.flatMap((value) => within(value, part)),
    [object],
  );
  return found.length === 0 && path.endsWith('#') ? [0] : found;
}

function within(value: unknown, part: Part): readonly unknown[] {
  if (part.kind === 'count')
    return [typeof value === 'object' && value !== null ? Object.keys(value).length : 0];
  if (typeof value !== 'object' || value === null) return [];
  const list = Array.isArray(value) ? (value as unknown[]) : undefined;
  switch (part.kind) {
    case 'key':
      return part.key in value ? [(value as Record<string, unknown>)[part.key]] : [];
    case 'all':
      return list ?? Object.values(value);
    case 'index': {
      const item = list?.at(part.index);
      return item === undefined ? [] : [item];
    }
    case 'where':
      return list?.filter((item) => String(select(item, part.path)[0]) === part.value) ?? [];
  }
}

export const get = (object: unknown, path: string): unknown => select(object, path)[0];

const compare: Readonly<Record<string, (got: string, wanted: string) => boolean>> = {
  '==': (got, wanted) => got === wanted,
  '!=': (got, wanted) => got !== wanted,
  '>=': (got, wanted) => Number(got) >= Number(wanted),
  '<=': (got, wanted) => Number(got) <= Number(wanted),
  '~=': (got, wanted) => new RegExp(wanted).test(got),
  '>': (got, wanted) => Number(got) > Number(wanted),
  '<': (got, wanted) => Number(got) < Number(wanted),
};

/** Signs inside of brackets belong to the path. */
const conditionForm = /^((?:\[[^\]]*\]|[^[=!<>~])+)(==|!=|>=|<=|~=|>|<)(.*)$/s;

/** @throws Error for what is no condition */
export function holds(object: unknown, condition: string): boolean {
  if (condition.endsWith('?')) return select(object, condition.slice(0, -1)).length > 0;
  if (condition.endsWith('!')) return select(object, condition.slice(0, -1)).length === 0;
  const [, path = '', operator = '', text = ''] = conditionForm.exec(condition) ?? [];
  const compared = compare[operator];
  if (compared === undefined) throw new Error(`${condition} is no condition`);
  const wanted = text.trim();
  const found = select(object, path.trim());
  // A count that is left out is 0.
  if (found.length === 0)
    return operator === '!=' ? wanted !== '0' : wanted === '0' && ['==', '>=', '<='].includes(operator);
  return found.every((value) =>
    compared(typeof value === 'object' ? JSON.stringify(value) : String(value), wanted),
  );
}
