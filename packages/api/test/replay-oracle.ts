/**
 * Replays the oracle's recorded cases without a server: decode → default → validate, and compares the causes.
 *
 *     node packages/api/test/replay-oracle.ts DIR [AREA…] [--show N] [--case NAME] [--failing]
 *
 * DIR contains the oracle's export (one JSON file per area). Steps about anything else (admission, negotiation, unknown
 * kinds) are omitted; strategies and admission are approximated.
 */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { applyJsonPatch, applyMergePatch, fieldErrorBody, type FieldError } from '@coxswain/apimachinery';
import type { JobSpec } from '../src/batch/v1/job-spec.ts';
import {
  applyDefaults,
  decodeValue,
  DecodeError,
  type Kind,
  type ObjectMeta,
  type StructType,
  type ValidationContext,
} from '@coxswain/schema';
import { groupVersionDirectories, kindsOf } from '../src/index.ts';
import { validateCreate, validateSubresourceUpdate, validateUpdate } from '../src/meta/object-validation.ts';

interface Step {
  name: string;
  req?: string;
  body?: unknown;
  type?: string;
}

interface Answer {
  name: string;
  status: number;
  headers?: Record<string, string | string[]>;
  body?: { message?: string; details?: { causes?: Cause[] }; kind?: string };
}

interface Cause {
  reason?: string;
  message?: string;
  field?: string;
}

interface Stored {
  metadata: ObjectMeta;
  spec?: unknown;
  status?: unknown;
}

type AnyKind = Kind<Stored, Stored>;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: 'string', default: '20' },
    case: { type: 'string' },
    failing: { type: 'boolean' },
  },
});
const [directory, ...areas] = positionals as [string, ...string[]];

const nowMs = Date.UTC(2026, 10, 20, 12);
const offByDefault = new Set([
  'TaintTolerationComparisonOperators',
  'UserNamespacesHostNetworkSupport',
  'AllAlpha',
]);
const context: ValidationContext = {
  nowMs,
  allowPrivileged: true,
  minCompatibility: 35,
  enabled: (gate) => !offByDefault.has(gate),
};

const kinds = groupVersionDirectories.flatMap(kindsOf) as unknown as AnyKind[];
const kindsByResource = new Map(
  kinds.filter(({ names }) => names).map((kind) => [`${kind.apiVersion}/${kind.names!.plural}`, kind]),
);

const tally = { passed: 0, failed: 0, skipped: 0 };
const failuresByKind = new Map<string, number>();
const passesByKind = new Map<string, number>();
let shown = 0;

function playCase(
  area: string,
  { name, steps, answers }: { name: string; steps: Step[]; answers: Answer[] },
): void {
  const store = new Map<string, Stored>();
  for (const [index, step] of steps.entries()) {
    const answer = answers[index];
    if (step.req === undefined || answer === undefined) continue;
    let outcome: Outcome;
    try {
      outcome = play(step, answer, store);
    } catch (error) {
      outcome = { kind: 'crash', wrong: `${(error as Error).stack}` };
    }
    count(`${area}/${name}/${step.name}`, outcome, step);
  }
}

type Outcome = { skipped: true } | { kind: string; wrong?: string };

function count(where: string, outcome: Outcome, step: Step): void {
  if ('skipped' in outcome) {
    tally.skipped++;
    return;
  }
  if (outcome.wrong === undefined) {
    tally.passed++;
    passesByKind.set(outcome.kind, (passesByKind.get(outcome.kind) ?? 0) + 1);
    return;
  }
  tally.failed++;
  failuresByKind.set(outcome.kind, (failuresByKind.get(outcome.kind) ?? 0) + 1);
  if (shown++ < Number(options.show)) {
    console.log(`✗ ${where}\n  ${step.req}\n${outcome.wrong}`);
  }
}

const skipped: Outcome = { skipped: true };

function play(step: Step, answer: Answer, store: Map<string, Stored>): Outcome {
  const [method, url] = step.req!.split(' ') as [string, string];
  const [path, query = ''] = url.split('?') as [string, string?];
  const target = targetOf(path);
  if (target === undefined || !['POST', 'PUT', 'PATCH'].includes(method)) {
    if (method === 'DELETE' && target !== undefined && answer.status < 300) store.delete(target.key);
    return skipped;
  }
  if (answer.status >= 300 && answer.status !== 422) return skipped;
  if (
    target.subresource !== undefined &&
    target.subresource !== 'status' &&
    target.kind.behaviour.validateSubresource?.[target.subresource] === undefined
  ) {
    return skipped;
  }
  const { kind } = target;
  const old = method === 'POST' ? undefined : store.get(target.key);
  if (method !== 'POST' && old === undefined && method === 'PATCH') return skipped;
  const body = method === 'PATCH' ? patched(old!, step) : step.body;
  if (body === undefined || typeof body !== 'object' || body === null) return skipped;
  let object: Stored;
  try {
    object = decodeValue(kind.type as unknown as StructType, structuredClone(substitute(body)))
      .object as Stored;
  } catch (error) {
    if (error instanceof DecodeError) return skipped;
    throw error;
  }
  prepare(kind, object, old, target);
  applyDefaults(kind.type as unknown as StructType, object);
  for (const fill of kind.behaviour.defaults ?? []) fill(object, nowMs);
  if (kind.kind === 'Job' && old === undefined) generateSelector(object as never);
  if (kind.kind === 'Pod') admitPod(object as never, old as never);
  const errors = validateIt(kind, object, old, target.subresource);
  const wrong = differenceOf(errors, answer) ?? warningDifference(kind, object, old, answer);
  if (answer.status < 300 && !query.includes('dryRun'))
    store.set(method === 'POST' ? `${target.key}/${object.metadata.name}` : target.key, object);
  return { kind: `${kind.apiVersion} ${kind.kind}`, wrong };
}

function validateIt(
  kind: AnyKind,
  object: Stored,
  old: Stored | undefined,
  subresource: string | undefined,
): readonly FieldError[] {
  if (kind.apiVersion.startsWith('authorization')) {
    return kind.behaviour.validate?.(object, undefined, context) ?? [];
  }
  if (old === undefined) return validateCreate(kind, object, context);
  return subresource === undefined
    ? validateUpdate(kind, object, old, context)
    : validateSubresourceUpdate(kind, subresource, object, old, context);
}

/** Warnings from other sources than kinds: versions, decoding, admission. */
const ofOthers =
  /is deprecated in v|unknown field|duplicate field|already set in map|^Validation failed for|^would violate|^seen/;

function warningDifference(
  kind: AnyKind,
  object: Stored,
  old: Stored | undefined,
  answer: Answer,
): string | undefined {
  if (answer.status >= 300 || kind.behaviour.warnings === undefined) return undefined;
  const header = [answer.headers?.['warning'] ?? []].flat().join(', ');
  const expected = [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, message]) => message!.replaceAll(/\\(.)/g, '$1'))
    .filter((message) => !ofOthers.test(message));
  const found = kind.behaviour.warnings(object, old, { enabled: () => true, minCompatibility: 35 });
  if (found.join('\n') === expected.join('\n')) return undefined;
  return `  warnings   ${expected.join(' | ')}\n  found      ${found.join(' | ')}`;
}

/** As recordings show a uid from the server. */
const withUid = (message: string): string =>
  message.replaceAll('c0ffee00-0000-4000-8000-000000000000', '<uid>');

function differenceOf(errors: readonly FieldError[], answer: Answer): string | undefined {
  const expected = (answer.body?.details?.causes ?? []).map((cause) => text(cause));
  if (answer.status === 422 && expected.length === 0) return undefined;
  const found = errors.map((error) =>
    text({ reason: error.type, message: withUid(fieldErrorBody(error)), field: error.field }),
  );
  if (answer.status < 300) {
    return found.length === 0 ? undefined : `  unexpected ${found.join('\n             ')}`;
  }
  if (found.join('\n') === expected.join('\n')) return undefined;
  return [
    ...expected.filter((line) => !found.includes(line)).map((line) => `  missing    ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `  unexpected ${line}`),
    ...(sameSet(found, expected)
      ? [`  order      ${expected.join(' | ')}`, `  found      ${found.join(' | ')}`]
      : []),
  ].join('\n');
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join('\n') === [...b].sort().join('\n');

const text = ({ reason = '', message = '', field = '' }: Cause): string =>
  `${reason} ${field}: ${message}`.replaceAll('ns-1', 'NS').replaceAll('id-1', 'ID');

interface Target {
  kind: AnyKind;
  key: string;
  name: string | undefined;
  namespace: string;
  subresource: string | undefined;
}

function targetOf(path: string): Target | undefined {
  const parts = path.split('/').filter(Boolean);
  const groupVersion = parts[0] === 'api' ? parts[1] : `${parts[1]}/${parts[2]}`;
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length >= 3 && !['status', 'finalize'].includes(rest[2]!)) {
    namespace = 'ns-1';
    rest.splice(0, 2);
  }
  const [resource, name, subresource] = rest;
  const kind = kindsByResource.get(`${groupVersion}/${resource}`);
  if (kind === undefined) return undefined;
  const collection = `${groupVersion}/${resource}/${namespace}`;
  return {
    kind,
    namespace,
    subresource,
    name,
    key: name === undefined ? collection : `${collection}/${substitute(name) as string}`,
  };
}

/** Substitutes `$ns`, `$id` and references to earlier responses, as in the recordings. */
function substitute(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll('$ns', 'ns-1').replaceAll('$id', 'id-1');
  }
  if (Array.isArray(value)) return value.map(substitute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, substitute(member)]));
}

function patched(old: Stored, step: Step): unknown {
  const body = substitute(step.body);
  if (step.type === 'application/json-patch+json') return applyJsonPatch(structuredClone(old), body as never);
  if (step.type === 'application/merge-patch+json')
    return applyMergePatch(structuredClone(old), body as never);
  return undefined;
}

/**
 * Approximates strategies: the server owns the status, and the stored object's identity and resourceVersion are kept.
 */
function prepare(kind: AnyKind, object: Stored, old: Stored | undefined, target: Target): void {
  const meta = (object.metadata ??= {} as ObjectMeta);
  if (kind.apiVersion.startsWith('authorization')) return;
  if (kind.names!.namespaced) meta.namespace ||= target.namespace === '' ? '' : 'ns-1';
  if (old === undefined) {
    if (!meta.name && meta.generateName) meta.name = `${meta.generateName}abcde`;
    meta.uid = 'c0ffee00-0000-4000-8000-000000000000';
    meta.creationTimestamp = '2026-11-20T12:00:00Z';
    meta.generation = 1;
    if (kind.kind !== 'Node' && 'status' in kind.type.fields) delete object.status;
    object.status ??=
      kind.type.fields['status'] === undefined
        ? undefined
        : (decodeValue(kind.type as unknown as StructType, {}).object as Stored).status;
    meta.resourceVersion = '1';
    return;
  }
  meta.uid ||= old.metadata.uid;
  meta.name ||= target.name;
  meta.creationTimestamp = old.metadata.creationTimestamp;
  meta.generation = old.metadata.generation;
  meta.resourceVersion = '2';
  meta.namespace ||= old.metadata.namespace;
  if (old.metadata.deletionTimestamp !== undefined) meta.deletionTimestamp = old.metadata.deletionTimestamp;
  if (target.subresource === 'status' || target.subresource === 'approval')
    object.spec = structuredClone(old.spec);
  else if ('status' in kind.type.fields) object.status = structuredClone(old.status);
  if (old.spec === undefined && target.subresource === 'status') delete object.spec;
}

function generateSelector({ metadata, spec }: { metadata: ObjectMeta; spec: JobSpec }): void {
  if (spec.manualSelector) return;
  const labels = ((spec.template.metadata ??= {}).labels ??= {});
  for (const key of ['job-name', 'batch.kubernetes.io/job-name']) labels[key] ??= metadata.name!;
  for (const key of ['controller-uid', 'batch.kubernetes.io/controller-uid']) labels[key] ??= metadata.uid!;
  const selected = ((spec.selector ??= {}).matchLabels ??= {});
  selected['batch.kubernetes.io/controller-uid'] ??= metadata.uid!;
}

/** Approximates admission of pods. */
function admitPod(
  pod: { spec: { priority?: number; preemptionPolicy?: string; tolerations?: object[] } },
  old: typeof pod | undefined,
): void {
  pod.spec.priority ??= old?.spec.priority ?? 0;
  pod.spec.preemptionPolicy ??= old?.spec.preemptionPolicy ?? 'PreemptLowerPriority';
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const all = (pod.spec.tolerations ??= []) as { key?: string; effect?: string }[];
    if (all.some((toleration) => toleration.key === key || (!toleration.key && !toleration.effect))) continue;
    all.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 } as object);
  }
}

for (const area of areas) {
  const before = { ...tally };
  const { cases } = JSON.parse(readFileSync(`${directory}/${area}.json`, 'utf8')) as {
    cases: { name: string; steps: Step[]; answers: Answer[] }[];
  };
  for (const each of cases) {
    if (options.case !== undefined && each.name !== options.case) continue;
    playCase(area, each);
  }
  console.log(
    `${area}: ${tally.passed - before.passed} passed, ${tally.failed - before.failed} failed, ${tally.skipped - before.skipped} left out`,
  );
}
for (const [kind, count] of [...failuresByKind].sort((a, b) => b[1] - a[1])) {
  console.log(`  ${kind}: ${count} failed, ${passesByKind.get(kind) ?? 0} passed`);
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} left out`);
