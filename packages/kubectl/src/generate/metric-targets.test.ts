import { expect, test } from 'vitest';
import { readTarget } from './metric-targets.ts';

test.each([
  ['70%', 'cpu', { type: 'Utilization', averageUtilization: 70 }],
  ['500m', 'cpu', { type: 'AverageValue', averageValue: '500m' }],
  ['500', 'cpu', { type: 'AverageValue', averageValue: '500m' }],
  ['2', 'memory', { type: 'AverageValue', averageValue: '2Mi' }],
  [' 0.5 ', 'cpu', { type: 'AverageValue', averageValue: '500u' }],
  ['1Gi', 'memory', { type: 'AverageValue', averageValue: '1Gi' }],
] as const)('%s of %s', (text, resource, target) => {
  expect(readTarget(text, resource)).toEqual(target);
});

test.each([
  ['-5%', 'invalid percentage value: -5'],
  ['x%', 'invalid percentage value: x'],
  ['99999999999%', 'invalid percentage value: 99999999999'],
  ['lots', 'invalid resource cpu value: lots'],
  ['', 'empty input'],
])('%s is refused', (text, message) => {
  expect(() => readTarget(text, 'cpu')).toThrow(message);
});
