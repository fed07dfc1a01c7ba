import { FieldPath } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { fractionWarnings } from './pod-warnings.ts';

const warnings = (memory: string) => fractionWarnings({ memory }, FieldPath.of('limits'));

describe('amounts of memory', () => {
  test.each(['100m', '1n', '1e-3', '1500m', '1Ei', '16Pi'])('%s has a fraction of a byte', (memory) => {
    expect(warnings(memory)).toEqual([
      `limits[memory]: fractional byte value "${memory}" is invalid, must be an integer`,
    ]);
  });

  test.each(['0', '1', '2000m', '129e6', '1Pi', '2Ei', '1E', '100e18', '9223372036854775807'])(
    '%s is whole',
    (memory) => {
      expect(warnings(memory)).toEqual([]);
    },
  );
});
