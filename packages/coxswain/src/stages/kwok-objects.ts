/**
 * What users of kwok write beside stages, as it is written in YAML: what pods use, what their logs are, and where exec,
 * attach and port-forward lead. A kind is for the pod of its own name, its `Cluster…` kind for the pods it selects.
 */

import { yamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { Stage } from './stage.ts';

const apiVersion = 'kwok.x-k8s.io/v1alpha1';

/** Of some containers, or of all that nobody else says something of. */
export interface ContainerEntry {
  readonly containers?: readonly string[];
}

export interface UsageEntry extends ContainerEntry {
  /** By resource: a quantity, or an expression in CEL that sees `node`, `pod` and `container`. */
  readonly usage?: Readonly<
    Record<string, { readonly value?: string | number; readonly expression?: string }>
  >;
}

export interface LogEntry extends ContainerEntry {
  /** Of this machine. */
  readonly logsFile?: string;
  readonly previousLogsFile?: string;
  readonly follow?: boolean;
}

export interface ExecEntry extends ContainerEntry {
  readonly local?: {
    readonly workDir?: string;
    readonly envs?: readonly { readonly name: string; readonly value?: string }[];
  };
}

export type AttachEntry = Pick<LogEntry, 'containers' | 'logsFile'>;

export interface ForwardEntry {
  /** All when absent. */
  readonly ports?: readonly number[];
  readonly target?: { readonly port: number; readonly address: string };
  readonly command?: readonly string[];
}

/** Entries for the pods that it means. */
export interface PodRule<E> {
  /** The pod of this name alone. */
  readonly pod?: { readonly namespace: string; readonly name: string };
  /** Those of all names, or namespaces, when absent. */
  readonly names?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly entries: readonly E[];
}

export interface PodRules {
  readonly usages: readonly PodRule<UsageEntry>[];
  readonly logs: readonly PodRule<LogEntry>[];
  readonly execs: readonly PodRule<ExecEntry>[];
  readonly attaches: readonly PodRule<AttachEntry>[];
  readonly forwards: readonly PodRule<ForwardEntry>[];
}

/** Pages for Prometheus, one for each node, of expressions. */
export interface MetricSpec {
  /** `/metrics/nodes/{nodeName}/metrics/resource` */
  readonly path: string;
  readonly metrics: readonly MetricEntry[];
}

export interface MetricEntry {
  readonly name: string;
  readonly help?: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** What there is a sample of each of; the node when absent. */
  readonly dimension?: 'node' | 'pod' | 'container';
  readonly labels?: readonly { readonly name: string; readonly value: string }[];
  readonly value?: string;
  readonly buckets?: readonly { readonly le: number; readonly value: string; readonly hidden?: boolean }[];
}

export interface KwokObjects {
  readonly metrics: readonly MetricSpec[];
  readonly stages: readonly Stage[];
  readonly rules: PodRules;
}

/** A kind, and its `Cluster…` kind: which rules they are, and the field of their entries. */
const ruleKinds: Readonly<Record<string, keyof PodRules>> = {
  ResourceUsage: 'usages',
  Logs: 'logs',
  Exec: 'execs',
  Attach: 'attaches',
  PortForward: 'forwards',
};
const kinds = ['Stage', 'Metric', ...Object.keys(ruleKinds).flatMap((kind) => [kind, `Cluster${kind}`])];

interface Document {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>> & {
    readonly selector?: {
      readonly matchNames?: readonly string[];
      readonly matchNamespaces?: readonly string[];
    };
  };
}

/** @throws Error that names the line of the document and what is wrong with it; YamlError */
export function parseKwok(yaml: string): KwokObjects {
  const stages: Stage[] = [];
  const metrics: MetricSpec[] = [];
  const rules: Record<keyof PodRules, PodRule<never>[]> = {
    usages: [],
    logs: [],
    execs: [],
    attaches: [],
    forwards: [],
  };
  for (const { text, line } of yamlDocuments(yaml)) {
    const document = readYaml(`${'\n'.repeat(line - 1)}${text}`) as Document | null;
    if (document === null) continue;
    const { kind = '', spec, metadata } = document;
    if (document.apiVersion !== apiVersion || !kinds.includes(kind))
      throw new Error(
        `line ${line}: expected a kwok object (${apiVersion}, one of ${kinds.join(', ')}), not ${String(document.apiVersion)}, Kind=${kind}`,
      );
    if (metadata?.name === undefined || spec === undefined)
      throw new Error(`line ${line}: ${kind} requires metadata.name and spec`);
    if (kind === 'Stage') stages.push(stageOf(document, line));
    else if (kind === 'Metric') metrics.push(spec as unknown as MetricSpec);
    else {
      const field = ruleKinds[kind.replace(/^Cluster/, '')]!;
      rules[field].push(ruleOf(document, field) as PodRule<never>);
    }
  }
  return { stages, metrics, rules };
}

function stageOf(document: Document, line: number): Stage {
  const stage = document as unknown as Stage;
  if (typeof stage.spec.resourceRef?.kind !== 'string')
    throw new Error(`line ${line}: Stage requires spec.resourceRef.kind`);
  return stage;
}

function ruleOf({ kind = '', metadata = {}, spec = {} }: Document, field: string): PodRule<unknown> {
  const entries = (spec[field] ?? []) as readonly unknown[];
  const { name = '', namespace = 'default' } = metadata;
  if (!kind.startsWith('Cluster')) return { pod: { namespace, name }, entries };
  const { matchNames, matchNamespaces } = spec.selector ?? {};
  return {
    ...(matchNames && matchNames.length > 0 && { names: matchNames }),
    ...(matchNamespaces && matchNamespaces.length > 0 && { namespaces: matchNamespaces }),
    entries,
  };
}

/** The entries for a pod, those that fit best first: its own rule is the only one, where it has one. */
export function entriesFor<E>(
  rules: readonly PodRule<E>[],
  { namespace, name }: { readonly namespace: string; readonly name: string },
): readonly (readonly E[])[] {
  const own = rules.find(({ pod }) => pod?.namespace === namespace && pod.name === name);
  if (own !== undefined) return [own.entries];
  return rules
    .filter(
      ({ pod, names, namespaces }) =>
        pod === undefined && (names?.includes(name) ?? true) && (namespaces?.includes(namespace) ?? true),
    )
    .map(({ entries }) => entries);
}

/** What is said of a container: by its name, or of all that are not named. */
export function entryFor<E extends ContainerEntry>(
  rules: readonly PodRule<E>[],
  pod: { readonly namespace: string; readonly name: string },
  container: string,
): E | undefined {
  for (const entries of entriesFor(rules, pod)) {
    const found =
      entries.find(({ containers = [] }) => containers.includes(container)) ??
      entries.find(({ containers = [] }) => containers.length === 0);
    if (found !== undefined) return found;
  }
  return undefined;
}
