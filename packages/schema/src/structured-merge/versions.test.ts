import { beforeEach, describe, expect, test } from 'vitest';
import {
  ApplyConflictError,
  decodeValue,
  FieldManager,
  int32,
  kind,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '../index.ts';
import type { ConvertTo } from './versions.ts';

/** `size` is called `length` in the second version. */
const First = kind('test/v1.Rod', 'test.example/v1', undefined, {
  metadata: optional(1, ObjectMeta),
  spec: optional(2, struct('test/v1.RodSpec', { size: pointer(1, int32), color: optional(2, string) })),
});
const Second = kind('test/v2.Rod', 'test.example/v2', undefined, {
  metadata: optional(1, ObjectMeta),
  spec: optional(2, struct('test/v2.RodSpec', { length: pointer(1, int32), color: optional(2, string) })),
});

interface Rod {
  apiVersion?: string;
  metadata: Record<string, unknown>;
  spec: { size?: number; length?: number; color?: string };
}

const convert: ConvertTo = (object, apiVersion) => {
  const { spec, ...rest } = object as Rod;
  const { size, length, ...more } = spec;
  const amount = size ?? length;
  if (apiVersion === First.apiVersion) {
    return {
      type: First.type,
      object: { ...rest, apiVersion, spec: { ...(amount !== undefined && { size: amount }), ...more } },
    };
  }
  if (apiVersion === Second.apiVersion) {
    return {
      type: Second.type,
      object: { ...rest, apiVersion, spec: { ...(amount !== undefined && { length: amount }), ...more } },
    };
  }
  return undefined;
};

const now = '2026-01-02T03:04:05Z';
const managers = {
  v1: new FieldManager({ type: First.type, apiVersion: First.apiVersion, convert }),
  v2: new FieldManager({ type: Second.type, apiVersion: Second.apiVersion, convert }),
};
let live: Rod | undefined;
beforeEach(() => {
  live = undefined;
});

function apply(version: 'v1' | 'v2', manager: string, spec: Rod['spec'], force = false): Rod {
  const { type, apiVersion } = version === 'v1' ? First : Second;
  const before = live && (convert(live, apiVersion)!.object as Rod);
  const config = { apiVersion, kind: 'Rod', metadata: { name: 'r' }, spec };
  const { object, managedFields } = managers[version].apply({ live: before, config, manager, force, now });
  const decoded = decodeValue(type, object).object as unknown as Rod;
  live = { ...decoded, metadata: { ...decoded.metadata, uid: 'u', managedFields } };
  return live;
}

describe('managers that write in several versions', () => {
  test('are in conflict over a field whatever it is called', () => {
    apply('v2', 'new', { length: 3 });

    expect(() => apply('v1', 'old', { size: 4 })).toThrow(
      'Apply failed with 1 conflict: conflict with "new": .spec.length',
    );
    expect(() => apply('v1', 'old', { size: 3 })).not.toThrow(ApplyConflictError);
  });

  test('lose a field to another version', () => {
    apply('v2', 'new', { length: 3, color: 'red' });
    apply('v1', 'old', { size: 4 }, true);

    expect(live?.metadata['managedFields']).toMatchObject([
      { manager: 'new', apiVersion: 'test.example/v2', fieldsV1: { 'f:spec': { 'f:color': {} } } },
      { manager: 'old', apiVersion: 'test.example/v1', fieldsV1: { 'f:spec': { 'f:size': {} } } },
    ]);
  });

  test('give up in one version what they applied in another', () => {
    apply('v2', 'me', { length: 3, color: 'red' });
    const { spec } = apply('v1', 'me', { color: 'red' });

    expect(spec).toEqual({ color: 'red' });
  });

  test('keep what they still apply under its other name', () => {
    apply('v2', 'me', { length: 3, color: 'red' });

    expect(apply('v1', 'me', { size: 3 }).spec).toEqual({ size: 3 });
  });

  test('are dropped when their version is gone', () => {
    apply('v2', 'new', { length: 3 });
    const [entry] = live!.metadata['managedFields'] as object[];
    live!.metadata['managedFields'] = [{ ...entry, apiVersion: 'test.example/v0' }];
    apply('v1', 'old', { size: 4 });

    expect(live?.metadata['managedFields']).toMatchObject([{ manager: 'old' }]);
  });
});
