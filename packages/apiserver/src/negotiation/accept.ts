/** Parses and orders the Accept header as upstream does. */

export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The maximum number of distinct cached headers; clients use few. */
const rememberedMax = 256;
const remembered = new Map<string, readonly AcceptClause[]>();

/** The clauses in order of preference. Invalid media ranges are dropped; an invalid quality counts as 0. */
export function parseAccept(header: string): readonly AcceptClause[] {
  let clauses = remembered.get(header);
  if (clauses === undefined) {
    clauses = parsed(header);
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(header, clauses);
  }
  return clauses;
}

function parsed(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.trim().split(';');
    const [type = '', subtype, ...more] = range.split('/');
    if (more.length > 0 || (subtype === undefined && type.trim() !== '*')) continue;
    clauses.push(clauseOf(type.trim(), subtype?.trim() ?? '*', parameters));
  }
  return ordered(clauses);
}

function clauseOf(type: string, subtype: string, texts: readonly string[]): AcceptClause {
  let quality = 1;
  const parameters: Record<string, string> = {};
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 0) continue;
    const name = text.slice(0, equals).trim();
    const value = text.slice(equals + 1);
    if (name === 'q') quality = Number.isNaN(Number(value)) || value === '' ? 0 : Number(value);
    else parameters[name] = value.trim();
  }
  return { type, subtype, quality, parameters };
}

/** Insertion sort with upstream's comparison, which is not a strict order. */
function ordered(clauses: AcceptClause[]): AcceptClause[] {
  for (let at = 1; at < clauses.length; at++) {
    for (let to = at; to > 0 && isWantedMore(clauses[to]!, clauses[to - 1]!); to--) {
      [clauses[to], clauses[to - 1]] = [clauses[to - 1]!, clauses[to]!];
    }
  }
  return clauses;
}

const isWantedMore = (a: AcceptClause, b: AcceptClause): boolean =>
  a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
