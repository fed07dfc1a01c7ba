/** The contents of a kuberc file: default options, aliases, and the credential plugin policy. */

export interface OptionDefault {
  /** The full name without dashes. */
  readonly name: string;
  readonly default: string;
}

export interface CommandDefaults {
  readonly command: string;
  readonly options: readonly OptionDefault[] | null;
}

export interface Alias {
  readonly name: string;
  readonly command: string;
  readonly prependArgs?: readonly string[];
  readonly appendArgs?: readonly string[];
  readonly options?: readonly OptionDefault[];
}

export interface AllowlistEntry {
  readonly name?: string;
  readonly command?: string;
}

export interface Preference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly defaults: readonly CommandDefaults[] | null;
  readonly aliases: readonly Alias[] | null;
  readonly credentialPluginPolicy?: string;
  readonly credentialPluginAllowlist?: readonly AllowlistEntry[];
}

const group = 'kubectl.config.k8s.io';

export const emptyPreference: Preference = {
  kind: 'Preference',
  apiVersion: `${group}/v1beta1`,
  defaults: null,
  aliases: null,
};

/** `text`, a list, or an object described by its fields. */
type Shape =
  | 'text'
  | { readonly items: Shape }
  | {
      readonly fields: Readonly<Record<string, Shape>>;
      /** The values of fields that are always shown, if the file doesn't set them. */
      readonly zeros: Readonly<Record<string, unknown>>;
    };

const list = (items: Shape): Shape => ({ items });
const object = (
  fields: Readonly<Record<string, Shape>>,
  zeros: Readonly<Record<string, unknown>> = {},
): Shape => ({ fields, zeros });

const option = object({ name: 'text', default: 'text' }, { name: '', default: '' });
const alias = (options: string): Shape =>
  object(
    {
      name: 'text',
      command: 'text',
      prependArgs: list('text'),
      appendArgs: list('text'),
      [options]: list(option),
    },
    { name: '', command: '' },
  );

const shapes: Readonly<Record<string, Shape>> = {
  v1beta1: object({
    apiVersion: 'text',
    kind: 'text',
    defaults: list(object({ command: 'text', options: list(option) }, { command: '', options: null })),
    aliases: list(alias('options')),
    credentialPluginPolicy: 'text',
    credentialPluginAllowlist: list(object({ name: 'text', command: 'text' })),
  }),
  v1alpha1: object({
    apiVersion: 'text',
    kind: 'text',
    overrides: list(object({ command: 'text', flags: list(option) }, { command: '', flags: null })),
    aliases: list(alias('flags')),
  }),
};

export interface Decoded {
  readonly preference: Preference;
  /** Unknown fields, which are dropped. */
  readonly problems: readonly string[];
}

/** Undefined if it is not a preference of a known version. @throws Error if a field has a wrong type */
export function decodePreference(document: unknown): Decoded | undefined {
  const { apiVersion, kind } = (document ?? {}) as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const shape = shapes[String(apiVersion).slice(group.length + 1)];
  if (kind !== 'Preference' || !String(apiVersion).startsWith(`${group}/`) || shape === undefined)
    return undefined;
  const problems: string[] = [];
  const decoded = decode(document, shape, '', problems) as Record<string, unknown>;
  return { preference: inCurrentNames(decoded), problems };
}

/** Reads the current version like `kubectl kuberc`: unknown fields are dropped. @throws like decodePreference */
export const readCurrent = (document: unknown): Preference => ({
  defaults: null,
  aliases: null,
  ...(decode(document ?? {}, shapes['v1beta1'] as Shape, '', []) as object),
});

function decode(value: unknown, shape: Shape, path: string, problems: string[]): unknown {
  if (value === null || value === undefined) return undefined;
  const wrong = (wanted: string) =>
    new Error(`json: cannot unmarshal ${jsonType(value)} into Go struct field ${path} of type ${wanted}`);
  if (shape === 'text') {
    if (typeof value !== 'string') throw wrong('string');
    return value;
  }
  if ('items' in shape) {
    if (!Array.isArray(value)) throw wrong('list');
    return value.map((one, at) => decode(one, shape.items, `${path}[${at}]`, problems));
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('object');
  const placeOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  const found: Record<string, unknown> = {};
  // Sorted by name, the order in which problems are reported.
  for (const [key, field] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (known === undefined) problems.push(`unknown field "${placeOf(key)}"`);
    else found[key] = decode(field, known, placeOf(key), problems);
  }
  const fields = Object.keys(shape.fields).map((key) => [key, found[key] ?? shape.zeros[key]] as const);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** The first version had different names: flags for options, and overrides for defaults. */
function inCurrentNames(decoded: Record<string, unknown>): Preference {
  const renamed = (list: unknown) =>
    ((list as readonly Record<string, unknown>[] | undefined) ?? []).map(({ flags, options, ...rest }) => ({
      ...rest,
      options: options ?? flags ?? [],
    }));
  const { overrides, defaults, aliases, ...rest } = decoded;
  return {
    ...rest,
    defaults: renamed(defaults ?? overrides) as unknown as readonly CommandDefaults[],
    aliases: renamed(aliases) as unknown as readonly Alias[],
  };
}
