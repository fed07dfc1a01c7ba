/** The difference between two states of a table as input of `nft -f`: one transaction. */
import type { Chain, Lookup, TablePlan } from '../plan/table-plan.ts';

const commentLengthMax = 120;

/** The table is replaced, whatever it contains. */
export const wholeTable = (table: string, plan: TablePlan): string =>
  `add table ${table}\ndelete table ${table}\nadd table ${table}\n${tableChanges(table, emptyPlan, plan)}`;

/** Removes the table; also works if it does not exist. */
export const noTable = (table: string): string => `add table ${table}\ndelete table ${table}\n`;

export const emptyPlan: TablePlan = { lookups: new Map(), chains: new Map() };

/**
 * Empty if there is nothing to do. Ordered so that everything exists before it is referred to, and nothing is deleted
 * while it is referred to.
 */
export function tableChanges(table: string, before: TablePlan, after: TablePlan): string {
  const lines: string[] = [];
  const say = (...words: readonly string[]) => lines.push(words.join(' '));
  const newLookups = missingIn(before.lookups, after.lookups);
  const newChains = missingIn(before.chains, after.chains);
  const oldChains = missingIn(after.chains, before.chains);
  for (const [name, lookup] of newLookups) say('add', lookup.kind, table, name, declaration(lookup));
  for (const [name, { hook }] of newChains)
    say('add chain', table, name, hook === undefined ? '' : `{ ${hook} }`);
  for (const name of after.lookups.keys()) {
    const { gone, added } = elementChanges(elementsOf(before, name), elementsOf(after, name));
    if (gone.length > 0) say('delete element', table, name, `{ ${gone.join(', ')} }`);
    if (added.length > 0) say('add element', table, name, `{ ${added.join(', ')} }`);
  }
  for (const [name, { rules }] of after.chains) {
    const known = before.chains.get(name);
    if (known !== undefined && sameRules(known.rules, rules)) continue;
    if (known !== undefined) say('flush chain', table, name);
    for (const rule of rules) say('add rule', table, name, rule);
  }
  for (const [name] of oldChains) say('flush chain', table, name);
  for (const [name] of oldChains) say('delete chain', table, name);
  for (const [name, { kind }] of missingIn(after.lookups, before.lookups)) say('delete', kind, table, name);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const elementsOf = ({ lookups }: TablePlan, name: string) => lookups.get(name)?.elements ?? noElements;

const noElements: ReadonlyMap<string, string> = new Map();

const missingIn = <T extends Chain | Lookup>(
  some: ReadonlyMap<string, T>,
  others: ReadonlyMap<string, T>,
): readonly (readonly [string, T])[] => [...others].filter(([name]) => !some.has(name));

const declaration = ({ type, comment }: Lookup): string =>
  comment === undefined
    ? `{ type ${type}; }`
    : `{ type ${type}; comment "${comment.replaceAll('"', '').slice(0, commentLengthMax)}"; }`;

/** An element whose verdict changes is removed and added again. */
function elementChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const gone: string[] = [];
  const added: string[] = [];
  for (const [key, verdict] of before) if (after.get(key) !== verdict) gone.push(elementText(key, verdict));
  for (const [key, verdict] of after) if (before.get(key) !== verdict) added.push(elementText(key, verdict));
  return { gone, added };
}

const elementText = (key: string, verdict: string): string => (verdict === '' ? key : `${key} : ${verdict}`);

const sameRules = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((rule, index) => rule === others[index]);
