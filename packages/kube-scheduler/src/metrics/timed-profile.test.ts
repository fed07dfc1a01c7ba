import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { extensionPoints, type Profile, type UntypedPlugin } from '../framework/profile.ts';
import { ProfileMetrics } from './profile-metrics.ts';
import { timedProfile, workOf } from './timed-profile.ts';

test('a timed plugin still reports its own function as the one that does the work', () => {
  const plugin: UntypedPlugin = { name: 'Any', filter: () => ({ kind: 'fits' }) };
  const points = Object.fromEntries(
    extensionPoints.map((point) => [point, point === 'filter' ? [plugin] : []]),
  ) as unknown as Profile['points'];
  const profile: Profile = { schedulerName: 'any', percentageOfNodesToScore: 0, points, weights: new Map() };

  const timed = timedProfile(profile, new ProfileMetrics(new Metrics(), profile), new ManualClock());

  expect(timed.points.filter[0]!.filter).not.toBe(plugin.filter);
  expect(workOf(timed.points.filter[0]!, 'filter')).toBe(plugin.filter);
});
