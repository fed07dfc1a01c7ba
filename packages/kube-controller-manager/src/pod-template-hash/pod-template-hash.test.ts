import type { PodTemplateSpec } from '@coxswain/api/core/v1/pod-template-spec.ts';
import { expect, test } from 'vitest';
import recorded from './hashes.json' with { type: 'json' };
import { fnv1, podTemplateHash, safeEncode } from './pod-template-hash.ts';

/** Computed by the original's own code for these templates. */
const cases = recorded as unknown as {
  template: PodTemplateSpec;
  hash: string;
  hashAfterCollision: string;
}[];

test.each(cases)('a template hashes as in the original: $hash', ({ template, hash, hashAfterCollision }) => {
  expect(podTemplateHash(template)).toBe(hash);
  expect(podTemplateHash(template, 1)).toBe(hashAfterCollision);
});

test('FNV-1 of nothing is its offset, and of a text what its authors publish', () => {
  expect(fnv1(new Uint8Array())).toBe(0x811c9dc5);
  expect(fnv1(new TextEncoder().encode('foobar'))).toBe(0x31f0b262);
});

test('names get only safe characters', () => {
  expect(safeEncode('0123456789')).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
});
