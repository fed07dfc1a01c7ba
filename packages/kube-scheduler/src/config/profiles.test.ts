import { expect, test } from 'vitest';
import { node, pod } from '../../test/memory-cluster.ts';
import { NodeInfo } from '../cache/node-info.ts';
import { podInfo } from '../cache/pod-info.ts';
import { plugin } from '../framework/plugin.ts';
import { fits } from '../status.ts';
import { ObjectTables } from '../object-tables.ts';
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
    'NodeDeclaredFeatures',
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

test('a plugin that its point names goes before those that are on everywhere', () => {
  const plugins = { filter: { enabled: [{ name: 'VolumeZone' }, { name: 'NodePorts' }] } };

  expect(namesAt(profilesOf({ profiles: [{ plugins }] }), 'filter')?.slice(0, 3)).toEqual([
    'VolumeZone',
    'NodePorts',
    'NodeUnschedulable',
  ]);
});

test("a plugin of one's own goes in by its name, with its arguments", () => {
  const made: unknown[] = [];
  const factory = {
    name: 'Mine',
    make(args: unknown) {
      made.push(args);
      return plugin({ name: 'Mine', filter: () => fits });
    },
  };
  const profile = {
    plugins: { multiPoint: { enabled: [{ name: 'Mine' }] } },
    pluginConfig: [{ name: 'Mine', args: { any: 'thing' } }],
  };

  expect(namesAt(profilesOf({ profiles: [profile] }, { plugins: [factory] }), 'filter')).toContain('Mine');
  expect(made).toEqual([{ any: 'thing' }]);
});

test('resources that an extender looks after alone are none of the scheduler', () => {
  const managedResources = [{ name: 'example.com/a', ignoredByScheduler: true }];
  const profiles = profilesOf({ extenders: [{ urlPrefix: 'http://x', managedResources }] });
  const fit = profiles[0]?.points.filter.find(({ name }) => name === 'NodeResourcesFit');
  const wanted = podInfo(pod('p', { spec: { requests: { 'example.com/a': '1' } } }));
  const info = new NodeInfo('a', 0);
  info.setNode(node('a'));

  expect(fit?.filter?.(wanted, info, undefined, { objects: new ObjectTables() } as never)).toEqual(fits);
});
