import { expect, expectTypeOf, test } from 'vitest';
import type { Live } from './live.ts';
import type { KubeObject, ObjectMeta } from './meta.ts';

interface Condition {
  type: 'Ready' | 'Bound';
  status: string;
  reason?: string;
}

interface Claim {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec: { size: number; modes: string[]; selector: { labels?: Record<string, string> } | null };
  status?: { conditions?: Condition[] };
}

const bare: Live<Claim> = { metadata: { name: 'data' } };

test('of a live object only the metadata is sure', () => {
  expect(bare.spec?.selector?.labels).toBeUndefined();
  expectTypeOf<Live<Claim>>().toExtend<KubeObject>();
  expectTypeOf(bare.metadata).toEqualTypeOf<ObjectMeta>();
  // @ts-expect-error -- without metadata it is no object
  const nothing: Live<Claim> = {};
  expect(nothing).toEqual({});
});

test('scalars that are always written are there, lists, maps and structs may not be', () => {
  type Spec = Live<Claim['spec']>;
  expectTypeOf<Spec['size']>().toEqualTypeOf<number>();
  expectTypeOf<NonNullable<Live<Claim>['spec']>['size']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Spec['modes']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<null>().toExtend<Spec['selector']>();
  expectTypeOf<NonNullable<NonNullable<Spec['selector']>['labels']>>().toEqualTypeOf<
    Readonly<Record<string, string>>
  >();
  // @ts-expect-error -- the size is always written
  const sizeless: Spec = { modes: [] };
  expect(sizeless.modes).toEqual([]);
});

test('a string may have a value that a later version added', () => {
  expectTypeOf<Live<Condition>['type']>().toEqualTypeOf<string>();
  expectTypeOf<Live<Condition>['reason']>().toEqualTypeOf<string | undefined>();
});

test('a live object is read-only', () => {
  const spec: Live<Claim['spec']> = { size: 1 };
  // @ts-expect-error -- read only
  spec.size = 2;
  expect(spec.size).toBe(2);
});
