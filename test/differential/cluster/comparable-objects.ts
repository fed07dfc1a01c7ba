/** Objects without what differs between two runs of one scenario: a placeholder stands for it. */
import type { Json } from './scenario.ts';

const placeholders: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, '<uid>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>'],
  [/-----BEGIN [A-Z ]+-----[\s\S]*?-----END [A-Z ]+-----\n?/g, '<pem>'],
  [/\b(10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+)(?![\d/.])/g, '<ip>'],
];

/** What the API server appends to a name that it makes. */
const generatedEnding = '[bcdfghjklmnpqrstvwxz2456789]{5}';

export const isGeneratedName = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && new RegExp(`^${generatedEnding}$`).test(name.slice(prefix.length));

const withGeneratedChildren = new Set([
  'ReplicaSet',
  'ReplicationController',
  'DaemonSet',
  'Job',
  'StatefulSet',
]);
const secretKeys = new Set(['ca.crt', 'token', 'certificate', 'caBundle', 'jws-kubeconfig-abcdef']);
const secretLengthMin = 40;
const portKeys = new Set(['nodePort', 'healthCheckNodePort']);
/** Lists whose order means nothing. */
const unordered = new Set([
  'ownerReferences',
  'endpoints',
  'addresses',
  'notReadyAddresses',
  'targets',
  'items',
  'subsets',
  'taints',
  'tolerations',
  'finalizers',
]);
/** Whether it is written is a matter of timing. */
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

export interface ScenarioNames {
  readonly ns: string;
  readonly id: string;
  /** Names that were made for this run, and how they are shown. */
  readonly names: Map<string, string>;
  /** Whether it matters which node a pod is on. */
  readonly nodeNames: boolean;
}

interface Named {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly generateName?: string;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly items?: readonly Named[];
}

export class ComparableObjects {
  readonly known: ScenarioNames;
  readonly #prefixes = new Map<string, RegExp>();

  constructor(known: ScenarioNames) {
    this.known = known;
  }

  /** Notes the names that others refer to. */
  learn(object: unknown): void {
    if (typeof object !== 'object' || object === null) return;
    const {
      kind = '',
      metadata: { name = '', generateName, ownerReferences } = {},
      items = [],
    } = object as Named;
    if (generateName !== undefined) {
      if (isGeneratedName(name, generateName)) this.known.names.set(name, `${generateName}<rand>`);
      this.#notePrefix(generateName);
    }
    if (name !== '' && withGeneratedChildren.has(kind)) this.#notePrefix(`${name}-`);
    const minute = /-\d{8,}$/;
    if (ownerReferences?.[0]?.kind === 'CronJob' && minute.test(name))
      this.known.names.set(name, name.replace(minute, '-<minute>'));
    for (const item of items) this.learn({ kind: kind.replace(/List$/, ''), ...item });
  }

  text(text: string): string {
    const { ns, id, names } = this.known;
    let shown = text;
    const longestFirst = [...names].toSorted(([a], [b]) => b.length - a.length);
    for (const [name, stand] of longestFirst) shown = shown.replaceAll(name, stand);
    for (const [prefix, form] of this.#prefixes) shown = shown.replaceAll(form, `${prefix}<rand>`);
    shown = shown.replaceAll(ns, 'NS').replaceAll(btoa(ns), '<NS in base64>').replaceAll(id, 'ID');
    return placeholders.reduce((rest, [form, stand]) => rest.replaceAll(form, stand), shown);
  }

  value(value: unknown, key = ''): Json {
    if (typeof value === 'string') return this.#textOf(value, key);
    if (typeof value === 'number') return portKeys.has(key) && value !== 0 ? '<port>' : value;
    if (Array.isArray(value)) return this.#list(value, key);
    if (typeof value !== 'object' || value === null) return value as Json;
    const kept = Object.entries(value)
      .filter(([name, inner]) => !isAccidental(name, inner))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(kept.map(([name, inner]) => [this.text(name), this.value(inner, name)]));
  }

  object(object: unknown): Json {
    this.learn(object);
    return this.value(object);
  }

  #textOf(text: string, key: string): string {
    if (key === 'resourceVersion') return '<rv>';
    if (key === 'uid') return '<uid>';
    if (key === 'nodeName' && !this.known.nodeNames && text !== '') return '<node>';
    return secretKeys.has(key) && text.length > secretLengthMin ? '<pem>' : this.text(text);
  }

  #list(list: readonly unknown[], key: string): Json {
    const values = list.filter((item) => !isTokenVolume(key, item)).map((item) => this.value(item));
    const by = (of: (item: Json) => string) =>
      values.toSorted((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0));
    if (key === 'conditions') return by((item) => String((item as { readonly type?: string }).type));
    return unordered.has(key) ? by((item) => JSON.stringify(item)) : values;
  }

  #notePrefix(prefix: string): void {
    this.#prefixes.set(prefix, new RegExp(`${RegExp.escape(prefix)}${generatedEnding}(?![a-z\\d-])`, 'g'));
  }
}

/** What a server adds to each pod. */
const isTokenVolume = (key: string, item: unknown): boolean =>
  (key === 'volumes' || key === 'volumeMounts') &&
  (item as { readonly name?: string }).name?.startsWith('kube-api-access-') === true;

function isAccidental(name: string, value: unknown): boolean {
  if (['managedFields', 'selfLink', triggerTime].includes(name)) return true;
  if (name === 'annotations' && value !== null && Object.keys(value as object).join() === triggerTime)
    return true;
  return Array.isArray(value) && value.length > 0 && value.every((item) => isTokenVolume(name, item));
}
