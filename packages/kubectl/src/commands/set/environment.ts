/** Parses arguments like `deployment/web A=1 B- -`. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { EnvVar } from './pod-specs.ts';

export interface EnvironmentChange {
  readonly set: readonly EnvVar[];
  readonly remove: readonly string[];
}

const keyPattern = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

const isChange = (word: string): boolean => word.endsWith('-') || word.indexOf('=') > 0;

/** @throws Error if a resource follows a change */
export function splitEnvironment(args: readonly string[]): {
  readonly resources: readonly string[];
  readonly changes: readonly string[];
} {
  const at = args.findIndex(isChange);
  if (at < 0) return { resources: args, changes: [] };
  const changes = args.slice(at);
  if (!changes.every(isChange))
    throw new Error(`all resources must be specified before environment changes: ${args.join(' ')}`);
  return { resources: args.slice(0, at), changes };
}

/** @throws Error if a name is invalid, or is both set and removed */
export async function readEnvironment(
  changes: readonly string[],
  stdin: () => Promise<string>,
): Promise<EnvironmentChange> {
  const set: EnvVar[] = [];
  const named = new Set<string>();
  const remove: string[] = [];
  for (const word of changes) {
    if (word === '-') set.push(...variablesOf(await stdin()));
    else if (word.includes('=')) {
      const pair = readPair(word);
      named.add(pair.name);
      set.push(pair);
    } else if (word.endsWith('-')) remove.push(word.slice(0, -1));
    else throw new Error(`unknown environment variable: ${word}`);
  }
  if (remove.some((name) => named.has(name)))
    throw new Error('can not both modify and remove the same environment variable in the same command');
  return { set, remove };
}

/** Parses `KEY=VALUE` lines with comments; names are not validated. */
const variablesOf = (text: string): EnvVar[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\r$/, '').replace(/#.*$/, ''))
    .filter((line) => line.includes('='))
    .map((line) => ({ name: line.slice(0, line.indexOf('=')), value: line.slice(line.indexOf('=') + 1) }));

export function readPair(pair: string): EnvVar {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  const problems = nameProblems(name);
  if (problems.length > 0) throw new Error(`${goQuote(name)} is not a valid key name: ${problems.join(';')}`);
  return { name, value: equals < 0 ? '' : pair.slice(equals + 1) };
}

function nameProblems(name: string): readonly string[] {
  const dots =
    name === '.' || name === '..'
      ? [`must not be '${name}'`]
      : name.startsWith('..')
        ? ["must not start with '..'"]
        : [];
  if (keyPattern.test(name)) return dots;
  return [
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
    ...dots,
  ];
}

/** Returns a container's variables after a change; others remain unchanged, including duplicates. */
export function changedVariables(
  existing: readonly EnvVar[],
  { set, remove }: EnvironmentChange,
): readonly EnvVar[] {
  const covered = new Set(remove);
  const changed: EnvVar[] = [];
  for (const variable of existing) {
    if (covered.has(variable.name)) continue;
    const newer = set.find(({ name }) => name === variable.name);
    if (newer !== undefined) covered.add(variable.name);
    changed.push(newer ?? variable);
  }
  for (const variable of set) {
    if (covered.has(variable.name)) continue;
    covered.add(variable.name);
    changed.push(variable);
  }
  return changed;
}

/** @throws Error for the first variable that already has a different value */
export function refuseOverwriting(existing: readonly EnvVar[], { set }: EnvironmentChange): void {
  for (const variable of set) {
    const current = existing.find(({ name }) => name === variable.name);
    if (current === undefined || (current.value ?? '') === (variable.value ?? '')) continue;
    throw new Error(
      `'${current.name}' already has a value (${current.value ?? ''}), and --overwrite is false`,
    );
  }
}
