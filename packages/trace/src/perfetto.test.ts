import { expect, test } from 'vitest';
import { perfettoOf } from './perfetto.ts';
import { ms, sample, step } from './recording.fixture.ts';

const events = (recording = sample) => perfettoOf(recording).traceEvents;

test('each component is a process, each undertaking and step a slice', () => {
  expect(events().filter(({ ph }) => ph === 'M').length).toBe(6);
  expect(events().find(({ name }) => name === 'storage.transact')).toMatchObject({
    ph: 'X',
    pid: 2,
    ts: 6000,
    dur: 2000,
    args: { file: 'packages/storage/src/engine/engine-storage.ts:89', key: '/registry/pods/default/web' },
  });
});

test('a flow leads from the cause to its effect, at times within both', () => {
  const flows = events().filter(({ cat }) => cat === 'cause');
  expect(flows).toMatchObject([
    { ph: 's', id: 1, pid: 1, ts: 3000, name: 'call' },
    { ph: 'f', id: 1, pid: 2, ts: 3000 },
    { ph: 's', id: 2, pid: 2, ts: 9000, name: 'revision' },
    { ph: 'f', id: 2, pid: 3, ts: 12_000 },
  ]);
});

test('spans that are still running end with the recording', () => {
  expect(events().find(({ name }) => name === 'default/web')).toMatchObject({ ts: 12_000, dur: 1000 });
});

test('concurrent steps have separate lanes', () => {
  const [command] = sample.undertakings;
  const steps = [step('one', 1, 5), step('two', 2, 5), step('three', 7, 1)];
  const lanes = events({ ...sample, undertakings: [{ ...command!, steps }] })
    .filter(({ cat }) => cat === 'step')
    .map(({ name, tid }) => [name, tid]);
  expect(lanes).toEqual([
    ['one', 1],
    ['two', 2],
    ['three', 1],
  ]);
});

test('concurrent undertakings of a component have separate lanes', () => {
  const [command] = sample.undertakings;
  const other = { ...command!, id: '41a0000000000009', startNs: ms };
  const lanes = events({ ...sample, undertakings: [command!, other] }).filter(({ cat }) => cat === 'command');
  expect(lanes.map(({ tid }) => tid)).toEqual([1, 2]);
});
