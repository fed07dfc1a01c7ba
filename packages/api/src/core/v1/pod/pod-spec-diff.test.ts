import { expect, test } from 'vitest';
import { podSpecDiff } from './pod-spec-diff.ts';

test('a diff of pod specs escapes markup as encoding/json does', () => {
  const spec = { containers: [] };
  const diff = podSpecDiff({ ...spec, nodeName: 'a' }, { ...spec, nodeName: '<&>' });
  expect(diff).toContain('\n- "NodeName": "a",\n+ "NodeName": "\\u003c\\u0026\\u003e",\n');
});
