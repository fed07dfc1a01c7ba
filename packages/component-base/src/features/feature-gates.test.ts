import { describe, expect, test } from 'vitest';
import { versionNamed } from '../effective-version.ts';
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

describe('in another version', () => {
  const at = (version: string, ...settings: string[]) =>
    featureGates(settings, { version: versionNamed(version) });

  test.each([
    ['VolumeAttributesClass', [false, true, true, true]],
    ['MutatingAdmissionPolicy', [false, false, false, true]],
    ['StrictIPCIDRValidation', [false, false, false, true]],
    ['ChangeContainerStatusOnKubeletRestart', [true, true, false, false]],
    ['ShardedListAndWatch', [false, false, false, false]],
  ])('%s is on by default from when it was', (gate, expected) => {
    expect(['1.33', '1.34', '1.35', '1.36'].map((version) => at(version).enabled(gate))).toEqual(expected);
  });

  test('a gate that came later cannot be set', () => {
    expect(() => at('1.34', 'EnvFiles=true,GenericWorkload=true')).toThrow(
      new Error(
        'cannot set feature gate GenericWorkload to true, feature is PreAlpha at emulated version 1.34, min compatibility version 1.33',
      ),
    );
  });

  test('a gate that was locked later can be set', () => {
    expect(at('1.33', 'JobManagedBy=false').enabled('JobManagedBy')).toBe(false);
    expect(() => at('1.35', 'JobManagedBy=false')).toThrow('feature is locked to true');
  });

  test('a gate of a whole stage goes by the stage of that version', () => {
    const { enabled } = at('1.33', 'AllAlpha=true,DynamicResourceAllocation=true');

    expect(enabled('PodLevelResources')).toBe(true);
    expect(enabled('EnvFiles')).toBe(false);
    expect(at('1.34', 'AllAlpha=true').enabled('EnvFiles')).toBe(true);
  });
});

test('who sets a gate that will go is told so', () => {
  const lines: string[] = [];
  featureGates(['DynamicResourceAllocation=true'], { log: (line) => lines.push(line) });

  expect(lines).toEqual([
    'Warning: setting GA feature gate. It will be removed in a future release. featureGate="DynamicResourceAllocation" value=true',
  ]);
});

test('the help lists what may be set, as the original does', () => {
  expect(featureGateHelp()).toHaveLength(150);
  expect(featureGateHelp()[0]).toBe('kube:APIResponseCompression=true|false (BETA - default=true)');
});
