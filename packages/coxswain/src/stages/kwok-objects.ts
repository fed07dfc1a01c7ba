/**
 * kwok's YAML objects besides stages: pods' usage, their logs, and the targets of exec, attach and port-forward. Each
 * kind applies to the pod of the same name, its `Cluster…` kind to the pods that it selects.
 */

import { yamlDocuments } from '@coxswain/apimachinery/yaml/documents.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { Stage } from './stage.ts';

const apiVersion = 'kwok.x-k8s.io/v1alpha1';

/** For some containers, or for all that no other entry names. */
export interface ContainerEntry {
  readonly containers?: readonly string[];
}

export interface UsageEntry extends ContainerEntry {
  /** By resource: a quantity, or a CEL expression that sees `node`, `pod` and `container`. */
  readonly usage?: Readonly<
    Record<string, { readonly value?: string | number; readonly expression?: string }>
  >;
}

export interface LogEntry extends ContainerEntry {
  /** A file on this machine. */
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
  /** Defaults to all ports. */
  readonly ports?: readonly number[];
  readonly target?: { readonly port: number; readonly address: string };
  readonly command?: readonly string[];
}

/** Entries for the pods that the rule applies to. */
export interface PodRule<E> {
  /** Only the pod of this name. */
  readonly pod?: { readonly namespace: string; readonly name: string };
  /** Pods with any name, or in any namespace, if absent. */
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

/** A Prometheus page per node, defined by expressions. */
export interface MetricSpec {
  /** `/metrics/nodes/{nodeName}/metrics/resource` */
  readonly path: string;
  readonly metrics: readonly MetricEntry[];
}

export interface MetricEntry {
  readonly name: string;
  readonly help?: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** What each sample stands for. Defaults to the node. */
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

/** The rules that a kind and its `Cluster…` kind define, and the field of their entries. */
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

/** @throws Error naming the line of the document and what is wrong with it; YamlError */
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

/** Returns the entries for a pod, best match first; a rule for this very pod excludes all others. */
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

/** Returns the entry for a container: the one with its name, or else the one for unnamed containers. */
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
