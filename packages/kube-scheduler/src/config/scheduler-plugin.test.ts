import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeSchedulerConfiguration } from './configuration.ts';
import { profilesOf } from './profiles.ts';
import { podInfo } from '../cache/pod-info.ts';
import { NodeInfo } from '../cache/node-info.ts';
import { untyped } from '../framework/profile.ts';
import { pluginFactory, withPlugins, type SchedulerPlugin } from './scheduler-plugin.ts';

const plugin: SchedulerPlugin = { name: 'Mine', weight: 7, filter: () => undefined, score: () => 50 };

const profileWith = (configuration?: KubeSchedulerConfiguration) =>
  profilesOf(withPlugins(configuration, [plugin]), { plugins: [pluginFactory(plugin)] })[0]!;

test('a plugin is added to every profile, unless the configuration names it', () => {
  const { points, weights } = profileWith();
  expect(points.filter.map(({ name }) => name)).toEqual(expect.arrayContaining(['NodeResourcesFit', 'Mine']));
  expect(weights.get('Mine')).toBe(7);

  const named = profileWith({
    profiles: [{ plugins: { score: { enabled: [{ name: 'Mine', weight: 2 }] } } }],
  });
  expect(named.points.filter.map(({ name }) => name)).not.toContain('Mine');
  expect(named.weights.get('Mine')).toBe(2);
});

test('a plugin that fails or answers nonsense fails the attempt, with a message', () => {
  const made = untyped(
    pluginFactory({
      name: 'Bad',
      preEnqueue: () => {
        throw new Error('boom');
      },
      filter: () => false as never,
      score: () => 101,
    }).make({} as never),
  );
  const pod = podInfo({ metadata: { name: 'p' }, spec: { containers: [] } } as unknown as Pod);
  const node = new NodeInfo('n', 0);
  const cluster = undefined as never;
  expect(made.preEnqueue?.(pod, cluster)).toEqual({ kind: 'error', reasons: ['boom'] });
  expect(made.filter?.(pod, node, undefined, cluster)).toMatchObject({ kind: 'error' });
  expect(() => made.score?.(pod, node, undefined, cluster)).toThrow('invalid score 101');
});

test.each([
  [{ name: '' }, 'needs a name'],
  [{ name: 'Idle' }, 'needs at least one of preEnqueue, filter, score'],
  [{ name: 'Odd', filter: 'yes' }, 'filter must be a function'],
])('the plugin %j is refused', (given, message) => {
  expect(() => pluginFactory(given as never)).toThrow(message);
});
