import { expect, test } from 'vitest';
import { ScaleHistory } from './scale-history.ts';

const minuteMs = 60_000;
const bounds = (currentReplicas: number) => ({ currentReplicas, minReplicas: 1, maxReplicas: 100 });
const windowMs = 5 * minuteMs;

const up = (replicas: number, seconds: number, stabilizationWindowSeconds = 0) => ({
  stabilizationWindowSeconds,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: replicas, periodSeconds: seconds }],
});
const down = { ...up(1, 60), stabilizationWindowSeconds: 0 };

test('without rules the number of pods doubles at most, or becomes four', () => {
  const { replicas, scalingLimited } = new ScaleHistory().normalizeByDefault(50, bounds(10), windowMs, 0);

  expect([replicas, scalingLimited.reason]).toEqual([20, 'ScaleUpLimit']);
  expect(new ScaleHistory().normalizeByDefault(50, bounds(1), windowMs, 0).replicas).toBe(4);
});

test('fewer pods are wanted only when they were enough for the whole window', () => {
  const history = new ScaleHistory();
  history.begin(10, 0);

  const early = history.normalizeByDefault(5, bounds(10), windowMs, minuteMs);
  expect([early.replicas, early.ableToScale.reason]).toEqual([10, 'ScaleDownStabilized']);
  const late = history.normalizeByDefault(5, bounds(10), windowMs, 6 * minuteMs);
  expect([late.replicas, late.ableToScale.reason]).toEqual([5, 'ReadyForNewScale']);
});

test("recommendations beyond the autoscaler's limits are capped", () => {
  const limited = new ScaleHistory().normalizeByDefault(
    9,
    { currentReplicas: 5, minReplicas: 1, maxReplicas: 6 },
    windowMs,
    0,
  );

  expect([limited.replicas, limited.scalingLimited]).toEqual([
    6,
    {
      status: true,
      reason: 'TooManyReplicas',
      message: 'the desired replica count is more than the maximum replica count',
    },
  ]);
});

test('a rule limits the pods added in its period', () => {
  const history = new ScaleHistory();
  const rules = { up: up(4, 60), down };

  const first = history.normalizeByRules(20, bounds(10), rules, minuteMs);
  expect([first.replicas, first.scalingLimited.reason]).toEqual([14, 'ScaleUpLimit']);
  history.changed(10, 14, rules, minuteMs);
  expect(history.normalizeByRules(20, bounds(14), rules, minuteMs + 30_000).replicas).toBe(14);
  expect(history.normalizeByRules(20, bounds(14), rules, 3 * minuteMs).replicas).toBe(18);
});

test('a window for more pods takes the lowest recommendation in it', () => {
  const history = new ScaleHistory();
  history.begin(10, 0);
  const rules = { up: up(50, 60, 120), down };

  const { replicas, ableToScale } = history.normalizeByRules(20, bounds(10), rules, minuteMs);
  expect([replicas, ableToScale.reason]).toEqual([10, 'ScaleUpStabilized']);
});

test('scaling that is disabled in one direction stays where it is', () => {
  const rules = { up: { ...up(4, 60), selectPolicy: 'Disabled' }, down };

  expect(new ScaleHistory().normalizeByRules(20, bounds(10), rules, 0).replicas).toBe(10);
});
