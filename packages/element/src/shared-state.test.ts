import { expect, test } from 'vitest';
import { readState, writeState, type SharedState } from './shared-state.ts';

const state: SharedState = {
  seed: 3,
  nodes: 2,
  files: { 'manifest.yaml': 'kind: Pod\n' },
  steps: [
    { atMs: 1_000, line: 'kubectl apply -f manifest.yaml' },
    { atMs: 2_500, line: 'kubectl get pods', files: { 'manifest.yaml': 'kind: Pod # größer' } },
  ],
  untilMs: 9_000,
  digest: 'abc',
};

test('a state survives a round trip through a link', async () => {
  const text = await writeState(state);
  expect(text).toMatch(/^[\w-]+$/);
  expect(await readState(text)).toEqual(state);
});

test.each([
  ['cut', async () => (await writeState(state)).slice(0, -9), 'damaged'],
  ['none', async () => 'hello', 'damaged'],
  ['too large', () => writeState({ ...state, files: { 'manifest.yaml': 'x'.repeat(2_000_000) } }), 'damaged'],
  ['of too many nodes', () => writeState({ ...state, nodes: 5_000 }), 'more than a page can replay'],
  [
    'for files elsewhere',
    () => writeState({ ...state, files: { '../a': '' } }),
    'more than a page can replay',
  ],
  ['of years', () => writeState({ ...state, untilMs: 1e12 }), 'more than a page can replay'],
  [
    'out of order',
    () => writeState({ ...state, steps: state.steps.toReversed() }),
    'more than a page can replay',
  ],
])('a state that is %s is refused', async (_what, text, message) => {
  await expect(readState(await text())).rejects.toThrow(message);
});
