/** The kinds of settings in a component's configuration file, and how to read them. */
import { parseDurationMs } from '../duration.ts';

export interface SettingKind<T> {
  readonly default: T;
  /** Whether it is milliseconds written as `1m30s`. */
  readonly isDuration?: boolean;
  /** For a group: its settings. */
  readonly table?: Readonly<Record<string, SettingKind<unknown>>>;
  /** @throws Error that states what was expected */
  read(value: unknown): T;
}

type Unread = Readonly<Record<string, unknown>>;

const refuse = (value: unknown, go: string): never => {
  throw new Error(`cannot unmarshal ${kindName(value)} into Go value of type ${go}`);
};

const kindName = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

export const bool = (byDefault: boolean): SettingKind<boolean> => ({
  default: byDefault,
  read: (value) => (typeof value === 'boolean' ? value : refuse(value, 'bool')),
});

export const integer = (byDefault: number): SettingKind<number> => ({
  default: byDefault,
  read: (value) => (Number.isInteger(value) ? (value as number) : refuse(value, 'int32')),
});

export const decimal = (byDefault: number): SettingKind<number> => ({
  default: byDefault,
  read: (value) => (typeof value === 'number' ? value : refuse(value, 'float64')),
});

export const text = (byDefault = ''): SettingKind<string> => ({
  default: byDefault,
  read: (value) => (typeof value === 'string' ? value : refuse(value, 'string')),
});

/** Milliseconds; written as `1m30s`. */
export const duration = (byDefaultMs: number): SettingKind<number> => ({
  default: byDefaultMs,
  isDuration: true,
  read: (value) => (typeof value === 'string' ? parseDurationMs(value) : refuse(value, 'string')),
});

/** The same, where zero makes no sense: files written by programs have `0s` for unset values. */
export const period = (byDefaultMs: number): SettingKind<number> => ({
  ...duration(byDefaultMs),
  read: (value) => duration(byDefaultMs).read(value) || byDefaultMs,
});

export const texts = (byDefault: readonly string[] = []): SettingKind<readonly string[]> => ({
  default: byDefault,
  read: (value) =>
    Array.isArray(value) ? value.map((each) => text().read(each)) : refuse(value, '[]string'),
});

export const textMap = (): SettingKind<Readonly<Record<string, string>>> => ({
  default: {},
  read: (value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, text().read(each)]))
      : refuse(value, 'map[string]string'),
});

/** A value defined by another package, accepted unchanged. */
export const anything = <T>(byDefault: T): SettingKind<T> => ({
  default: byDefault,
  read: (value) => value as T,
});

export type SettingTable = Readonly<Record<string, SettingKind<unknown>>>;
export type SettingsOf<T extends SettingTable> = {
  readonly [K in keyof T]: T[K] extends SettingKind<infer V> ? V : never;
};

/** A group of settings within the file. */
export const group = <T extends SettingTable>(table: T, place: string): SettingKind<SettingsOf<T>> => ({
  default: readSettings(table, {}, place),
  table,
  read: (value) => readSettings(table, value, place),
});

/** Missing settings get their defaults; unknown ones are refused. */
export function readSettings<T extends SettingTable>(table: T, value: unknown, place: string): SettingsOf<T> {
  if (!isRecord(value)) return refuse(value, place);
  for (const name of Object.keys(value))
    if (!Object.hasOwn(table, name))
      throw new Error(`strict decoding error: unknown field "${place === '' ? '' : `${place}.`}${name}"`);
  return Object.fromEntries(
    Object.entries(table).map(([name, kind]) => [
      name,
      value[name] === undefined || value[name] === null ? kind.default : kind.read(value[name]),
    ]),
  ) as SettingsOf<T>;
}

const isRecord = (value: unknown): value is Unread =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
