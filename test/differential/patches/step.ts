/** One step of a sequence: a write to an object, made at random from what the object is now. */
import type { Random } from '@coxswain/apimachinery';
import { withDirectives } from './directives.ts';
import { chance, fragment, freeMetadata, merged, pick, type JsonObject } from './fragment.ts';
import { jsonOperations } from './json-operations.ts';

export interface Subject {
  /** `/apis/apps/v1/namespaces/ns/deployments` in each version that it is written in. */
  readonly collections: Readonly<Record<string, string>>;
  readonly name: string;
  readonly kind: string;
  /** Bodies of the same kind, as clients would create them. */
  readonly donors: readonly JsonObject[];
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  /** Custom resources know no strategic merge. */
  readonly isCustom: boolean;
  /** How an object looks in another version, where that isn't the same. */
  readonly inVersion?: (object: JsonObject, apiVersion: string) => JsonObject;
}

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

const managers = ['one', 'two', 'three', 'kubectl', 'kubectl-client-side-apply'];
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** @param read undefined while there is none */
export function nextWrite(subject: Subject, read: JsonObject | undefined, random: Random): Write {
  const apiVersion = pick(random, Object.keys(subject.collections));
  const at = `${subject.collections[apiVersion]}/${subject.name}`;
  const { inVersion = (object) => object } = subject;
  const given = pick(random, subject.donors);
  const donor: JsonObject = { ...inVersion(given, apiVersion), apiVersion, kind: subject.kind };
  const live = read && inVersion(read, apiVersion);
  if (live === undefined) return firstWrite(subject, donor, apiVersion, random);
  if (subject.hasScale && chance(random, 0.12)) return scaleWrite(at, random);
  const isStatus = subject.hasStatus && chance(random, 0.15);
  const path = `${at}${isStatus ? '/status' : ''}`;
  const kind = pick(random, [
    'apply',
    'apply',
    'apply',
    'apply',
    'merge',
    'merge',
    'strategic',
    'strategic',
    'strategic',
    'json',
    'put',
    'put',
  ]);
  const state = isStatus
    ? stated({ ...donor, status: live['status'] ?? donor['status'] }, live, random)
    : stated(donor, live, random);
  switch (kind) {
    case 'apply':
      return applyWrite(path, configuration(state, subject, apiVersion, random), random);
    case 'json':
      return {
        method: 'PATCH',
        path: path + parameters(random, false),
        type: 'application/json-patch+json',
        body: jsonOperations(live, donor, random),
      };
    case 'put':
      return {
        method: 'PUT',
        path: path + parameters(random, false),
        type: 'application/json',
        body: changedWhole(live, donor, random),
      };
    default: {
      const isStrategic = kind === 'strategic' && (!subject.isCustom || chance(random, 0.1));
      const patch = { ...state, metadata: freeMetadata(random, 0.2) };
      return {
        method: 'PATCH',
        path: path + parameters(random, false),
        type: isStrategic ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json',
        body: isStrategic ? withDirectives(patch, live, random, pick(random, [0, 0.1, 0.2])) : patch,
      };
    }
  }
}

function firstWrite(subject: Subject, donor: JsonObject, apiVersion: string, random: Random): Write {
  const collection = subject.collections[apiVersion]!;
  const metadata: JsonObject = {
    ...(donor['metadata'] as JsonObject),
    ...freeMetadata(random, 0),
    name: subject.name,
  };
  const body: JsonObject = { ...donor, metadata };
  if (chance(random, 0.5)) return applyWrite(`${collection}/${subject.name}`, body, random);
  if (chance(random, 0.3)) {
    metadata['annotations'] = {
      ...(metadata['annotations'] as JsonObject | undefined),
      [lastApplied]: `${JSON.stringify({ ...donor, metadata: { annotations: {}, name: subject.name } })}\n`,
    };
  }
  return { method: 'POST', path: collection + parameters(random, false), type: 'application/json', body };
}

/** Part of a donor, or of what is there. */
function stated(donor: JsonObject, live: JsonObject, random: Random): JsonObject {
  const from = chance(random, 0.4) ? live : donor;
  const part = fragment(from, {
    random,
    kept: pick(random, [0.3, 0.7, 0.95]),
    changed: pick(random, [0, 0.05, 0.2]),
    nulls: pick(random, [0, 0, 0.03, 0.1]),
  }) as JsonObject;
  const { metadata: _metadata, kind: _kind, apiVersion: _apiVersion, ...rest } = part;
  return rest;
}

function configuration(state: JsonObject, subject: Subject, apiVersion: string, random: Random): JsonObject {
  return {
    apiVersion: chance(random, 0.01) ? 'v9' : apiVersion,
    kind: subject.kind,
    metadata: {
      ...(chance(random, 0.9) && { name: subject.name }),
      ...freeMetadata(random, 0.02),
      ...(chance(random, 0.02) && { managedFields: [] }),
      ...(chance(random, 0.01) && { resourceVersion: '1' }),
    },
    ...state,
  };
}

const applyWrite = (path: string, body: JsonObject, random: Random): Write => ({
  method: 'PATCH',
  path: path + parameters(random, true),
  type: 'application/apply-patch+yaml',
  body,
});

function parameters(random: Random, isApply: boolean): string {
  const all = [
    ...(isApply || chance(random, 0.6) ? [`fieldManager=${pick(random, managers)}`] : []),
    ...(isApply && chance(random, 0.6) ? ['force=true'] : []),
    ...(chance(random, 0.1) ? [`fieldValidation=${pick(random, ['Strict', 'Ignore', 'Warn'])}`] : []),
  ];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}

/** What a client that read the object sends back. */
function changedWhole(live: JsonObject, donor: JsonObject, random: Random): JsonObject {
  const { managedFields, ...metadata } = live['metadata'] as JsonObject;
  const whole = chance(random, 0.5) ? live : merged(live, { spec: donor['spec'], data: donor['data'] });
  const changed = fragment(whole, { random, kept: 0.98, changed: 0.04, nulls: 0.01 }) as JsonObject;
  const sent = pick(random, ['kept', 'kept', 'kept', 'absent', 'none', 'reset', 'changed', 'broken']);
  return {
    ...changed,
    apiVersion: live['apiVersion'],
    kind: live['kind'],
    metadata: {
      ...merged(metadata, freeMetadata(random, 0)),
      ...(sent === 'absent' ? {} : { managedFields: sentManagers(sent, managedFields, random) }),
    },
  };
}

function sentManagers(sent: string, managedFields: unknown, random: Random): unknown {
  const entries = Array.isArray(managedFields) ? (managedFields as JsonObject[]) : [];
  switch (sent) {
    case 'none':
      return [];
    case 'reset':
      return [{}];
    case 'changed':
      return entries
        .map((entry) => ({ ...entry, ...(chance(random, 0.4) && { manager: pick(random, managers) }) }))
        .slice(1);
    case 'broken':
      return entries.map((entry) => ({
        ...entry,
        ...pick<JsonObject>(random, [
          { operation: 'Patch' },
          { fieldsType: '' },
          { fieldsType: 'v9' },
          { apiVersion: '' },
          { fieldsV1: { x: {} } },
          { apiVersion: 'gone/v1' },
          { time: null },
          { subresource: 'status' },
        ]),
      }));
    default:
      return entries;
  }
}

function scaleWrite(at: string, random: Random): Write {
  const path = `${at}/scale`;
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: at.split('/').at(-1) },
    spec: { replicas: Math.floor(random.next() * 4) },
  };
  switch (pick(random, ['put', 'merge', 'strategic', 'apply', 'apply'])) {
    case 'put':
      return { method: 'PUT', path: path + parameters(random, false), type: 'application/json', body: scale };
    case 'apply':
      return applyWrite(path, scale, random);
    case 'strategic':
      return {
        method: 'PATCH',
        path: path + parameters(random, false),
        type: 'application/strategic-merge-patch+json',
        body: { spec: scale.spec },
      };
    default:
      return {
        method: 'PATCH',
        path: path + parameters(random, false),
        type: 'application/merge-patch+json',
        body: { spec: scale.spec },
      };
  }
}
