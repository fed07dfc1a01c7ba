/** Arguments like `deployment/web A=1 B- -`. */
import type { EnvVar } from './pod-specs.ts';

export interface EnvironmentChange {
  readonly set: readonly EnvVar[];
  readonly remove: readonly string[];
}

const keyPattern = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

const isChange = (word: string): boolean => word.endsWith('-') || word.indexOf('=') > 0;

/** @throws Error when a name is no name of a variable, or a resource follows a change */
export async function readEnvironment(
  args: readonly string[],
  options: readonly string[],
  stdin: () => Promise<string>,
): Promise<{ readonly resources: readonly string[]; readonly change: EnvironmentChange }> {
  const at = args.findIndex(isChange);
  const resources = at < 0 ? args : args.slice(0, at);
  const changes = [...(at < 0 ? [] : args.slice(at)), ...options];
  const stray = changes.find((word) => !isChange(word));
  if (stray !== undefined)
    throw new Error(`all resources must be specified before environment changes: ${args.join(' ')}`);
  const set: EnvVar[] = [];
  const remove: string[] = [];
  for (const word of changes) {
    if (word === '-')
      set.push(
        ...(await stdin())
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(readPair),
      );
    else if (word.includes('=')) set.push(readPair(word));
    else remove.push(word.slice(0, -1));
  }
  if (remove.some((name) => set.some((variable) => variable.name === name))) {
    throw new Error('can not both modify and remove the same environment variable in the same command');
  }
  return { resources, change: { set, remove } };
}

export function readPair(pair: string): EnvVar {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  if (!keyPattern.test(name)) {
    throw new Error(
      `"${name}" is not a valid key name: a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')`,
    );
  }
  return { name, value: equals < 0 ? '' : pair.slice(equals + 1) };
}
