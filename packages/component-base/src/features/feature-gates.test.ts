import { expect, test } from 'vitest';
import { featureGateHelp, featureGates } from './feature-gates.ts';

test.each([
  [['Foo=true'], 'unrecognized feature gate: Foo'],
  [['Foo'], 'missing bool value for Foo'],
  [
    ['APIServerIdentity=maybe'],
    'invalid value of APIServerIdentity=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  [['wardle:Foo=true'], 'component not registered: wardle'],
  [
    ['APIServerTracing=false'],
    'cannot set feature gate APIServerTracing to false, feature is locked to true',
  ],
  [
    ['WatchList=true', 'kube:APIServerIdentity=true'],
    'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
  ],
  [
    ['GangScheduling=true'],
    'GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]',
  ],
])('%s is refused in the words of the original', (settings, message) => {
  expect(() => featureGates(settings)).toThrow(new Error(message));
});

test('a gate of a whole stage leaves those alone that are named', () => {
  const { enabled } = featureGates(['AllAlpha=true,GangScheduling=false,WorkloadAwarePreemption=false']);

  expect(enabled('StorageVersionAPI')).toBe(true);
  expect(enabled('GangScheduling')).toBe(false);
});

test('who sets a gate that will go is told so', () => {
  const lines: string[] = [];
  featureGates(['DynamicResourceAllocation=true'], (line) => lines.push(line));

  expect(lines).toEqual([
    'Warning: setting GA feature gate. It will be removed in a future release. featureGate="DynamicResourceAllocation" value=true',
  ]);
});

test('the help lists what may be set, as the original does', () => {
  expect(featureGateHelp()).toHaveLength(150);
  expect(featureGateHelp()[0]).toBe('kube:APIResponseCompression=true|false (BETA - default=true)');
});
