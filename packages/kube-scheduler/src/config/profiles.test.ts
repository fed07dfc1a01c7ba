import { expect, test } from 'vitest';
import { checkConfiguration } from './configuration.ts';
import { profilesOf } from './profiles.ts';

const namesAt = (profiles: ReturnType<typeof profilesOf>, point: 'score' | 'filter' | 'postFilter') =>
  profiles[0]?.points[point].map(({ name }) => name);

test('the default profile has the default plugins in their order', () => {
  expect(namesAt(profilesOf(), 'filter')).toEqual([
    'NodeUnschedulable',
    'NodeName',
    'TaintToleration',
    'NodeAffinity',
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
    'NodeVolumeLimits',
    'VolumeBinding',
    'VolumeZone',
    'PodTopologySpread',
    'InterPodAffinity',
    'DynamicResources',
  ]);
  expect(namesAt(profilesOf(), 'postFilter')).toEqual(['DynamicResources', 'DefaultPreemption']);
});

test('a profile switches plugins off at one point and sets weights', () => {
  const plugins = { score: { disabled: [{ name: '*' }], enabled: [{ name: 'ImageLocality', weight: 7 }] } };
  const profiles = profilesOf({ profiles: [{ schedulerName: 'mine', plugins }] });

  expect(namesAt(profiles, 'score')).toEqual(['ImageLocality']);
  expect(profiles[0]?.weights.get('ImageLocality')).toBe(7);
  expect(namesAt(profiles, 'filter')).toContain('NodeResourcesFit');
});

test('a plugin switched off everywhere is nowhere', () => {
  const plugins = { multiPoint: { disabled: [{ name: 'DefaultPreemption' }] } };

  expect(namesAt(profilesOf({ profiles: [{ plugins }] }), 'postFilter')).toEqual(['DynamicResources']);
});

test.each([
  [{ profiles: [{}, {}] }, 'duplicate profile with scheduler name "default-scheduler"'],
  [
    { profiles: [{ plugins: { score: { enabled: [{ name: 'Nope' }] } } }] },
    'initializing profiles: plugin "Nope" does not exist in the framework',
  ],
  [
    {
      profiles: [
        { pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'Fancy' } } }] },
      ],
    },
    'scoring strategy Fancy is not supported',
  ],
])('%j is refused', (configuration, message) => {
  expect(() => profilesOf(configuration)).toThrow(message);
});

test('a document of another kind is no configuration', () => {
  expect(() => checkConfiguration({ apiVersion: 'v1', kind: 'Pod' })).toThrow(
    'no kind "Pod" is registered for version "v1"',
  );
  expect(() => checkConfiguration(null)).toThrow('no kind ""');
});
