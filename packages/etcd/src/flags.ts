import { flagGroups, isRefused, type FlagDefinition, type FlagKind } from './flag-table.ts';

export type FlagValues = ReadonlyMap<string, string>;
type Environment = Readonly<Record<string, string | undefined>>;

const flags: ReadonlyMap<string, FlagDefinition> = new Map(
  Object.values(flagGroups)
    .flat()
    .map((each) => [each.name, each]),
);

export class FlagFailure extends Error {}

/**
 * Values by name, including defaults. A flag that is also set in the environment is rejected, as in etcd. @throws
 * FlagFailure
 */
export function parseFlags(args: readonly string[], env: Environment = {}): FlagValues {
  const given = givenFlags(args);
  const values = new Map<string, string>();
  for (const definition of flags.values()) {
    const { name } = definition;
    const variable = `ETCD_${name.toUpperCase().replaceAll('-', '_')}`;
    const inherited = env[variable];
    if (inherited && given.has(name)) {
      throw new FlagFailure(
        `conflicting environment variable ${variable} is shadowed by --${name}: unset the one or leave out the other`,
      );
    }
    const value = inherited ? checked(definition, inherited, variable) : given.get(name);
    values.set(name, value ?? definition.default);
  }
  return withoutRefused(values);
}

/** Values of a configuration file, including defaults. @throws FlagFailure */
export function valuesOf(given: ReadonlyMap<string, string>): FlagValues {
  const values = new Map([...flags.values()].map((each): [string, string] => [each.name, each.default]));
  for (const [name, value] of given) {
    const definition = flags.get(name);
    if (definition === undefined) throw new FlagFailure(`unknown field "${name}" in the configuration file`);
    values.set(name, checked(definition, value, name));
  }
  return withoutRefused(values);
}

function givenFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const match = /^--?([^=-][^=]*)(?:=([^]*))?$/.exec(arg);
    if (match === null) throw new FlagFailure(`'${arg}' is not a valid flag`);
    const definition = flags.get(match[1]!);
    if (definition === undefined) throw new FlagFailure(`flag provided but not defined: -${match[1]}`);
    const value = match[2] ?? impliedValue(definition, rest);
    given.set(definition.name, checked(definition, value, `flag -${definition.name}`));
  }
  return given;
}

function impliedValue(definition: FlagDefinition, rest: string[]): string {
  if (definition.kind === 'bool') return 'true';
  const value = rest.shift();
  if (value === undefined) throw new FlagFailure(`flag needs an argument: -${definition.name}`);
  return value;
}

const validity: Readonly<Record<FlagKind, (value: string) => boolean>> = {
  string: () => true,
  bool: (value) => /^(true|false|1|0|t|f)$/i.test(value),
  number: (value) => /^-?\d+$/.test(value),
  duration: (value) => durationMs(value) !== undefined,
};

function checked({ kind }: FlagDefinition, value: string, where: string): string {
  if (validity[kind](value)) return value;
  const what = kind === 'bool' ? 'boolean value' : 'value';
  throw new FlagFailure(`invalid ${what} "${value}" for ${where}: parse error`);
}

function withoutRefused(values: FlagValues): FlagValues {
  for (const definition of flags.values()) {
    if (isRefused(definition) && values.get(definition.name) !== '')
      throw new FlagFailure(
        `--${definition.name} is not supported: this server is a cluster of a single member`,
      );
  }
  return values;
}

export const isTrue = (value: string | undefined): boolean => /^(true|1|t)$/i.test(value ?? '');

/** @throws FlagFailure */
export function parseDurationMs(name: string, text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new FlagFailure(`invalid value "${text}" for flag -${name}: parse error`);
  return ms;
}

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** `5m`, `1h30m`, `10s`, `100ms`, `0`. */
function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit!]!, 0);
}

export const usage = `Usage:

  etcd [flags]
    Serve the etcd v3 API over the embedded engine.

  etcd --version
    Show the version of the etcd API that is served.

  etcd -h | --help
    Show this help.

  etcd --config-file FILE
    Read the flags from a YAML file.
`;

export function helpText(): string {
  const groups = Object.entries(flagGroups).map(([title, group]) => {
    const lines = group.map(
      ({ name, default: fallback, help }) => `  --${name} '${fallback}'\n    ${help}\n`,
    );
    return `${title}:\n${lines.join('')}`;
  });
  return `${usage}\n${groups.join('\n')}`;
}
