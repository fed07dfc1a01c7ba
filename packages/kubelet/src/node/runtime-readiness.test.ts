import { expect, test } from 'vitest';
import { runtimeTroubles } from './runtime-readiness.ts';

const condition = (type: string, status: boolean, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
});
const ready = [condition('RuntimeReady', true), condition('NetworkReady', true)];

test.each([
  ['both conditions hold', ready, []],
  [
    'another condition of the runtime, as containerd 2 has them, does not hold',
    [...ready, condition('ContainerdHasNoDeprecationWarnings', false, 'ContainerdHasDeprecationWarnings')],
    [],
  ],
  [
    'the network is not there',
    [ready[0]!, condition('NetworkReady', false, 'NetworkPluginNotReady', 'cni plugin not initialized')],
    [
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized',
    ],
  ],
  [
    'the runtime says nothing',
    [],
    ['container runtime not ready: <nil>', 'container runtime network not ready: <nil>'],
  ],
])('when %s, the node says why it is not ready, or nothing', (_, conditions, troubles) => {
  expect(runtimeTroubles(conditions)).toEqual(troubles);
});
