import { ManualClock, type Timer } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { TurnWatch } from './turn-watch.ts';

/** A watch in a thread whose time the test passes: by work, or by what other programs do. */
function watched({ isBegun = true } = {}) {
  let [nowMs, cpuMs] = [0, 0];
  const timers: { dueMs: number; run: () => void }[] = [];
  class PassedClock extends ManualClock {
    override monotonic(): number {
      return nowMs;
    }

    override after(ms: number, run: () => void): Timer {
      timers.push({ dueMs: nowMs + ms, run });
      return { cancel: () => undefined };
    }
  }
  const metrics = new Metrics();
  const lines: string[] = [];
  let end: (() => void) | undefined;
  const watch = new TurnWatch({
    clock: new PassedClock(),
    metrics,
    log: (line) => lines.push(line),
    cpuMs: () => cpuMs,
    atNextTurn: (callback) => (end = callback),
  });
  if (isBegun) watch.begin();
  const pass = (ms: number, ofCpuMs = ms): void => {
    nowMs += ms;
    cpuMs += ofCpuMs;
  };
  return {
    watch,
    lines,
    told: () => metrics.exposition(),
    pass,
    /** The pulse comes when the loop gets to it. */
    pulse() {
      for (const { run } of timers.splice(0).filter(({ dueMs }) => dueMs <= nowMs)) run();
    },
    get hasPulse() {
      return timers.length > 0;
    },
    turn(...steps: readonly (readonly [step: string, ms: number, cpuMs?: number])[]) {
      for (const [step, ms, ofCpuMs] of steps) {
        watch.note(step);
        pass(ms, ofCpuMs);
      }
      end?.();
    },
  };
}

test('a turn that takes long is told of with what took longest in it', () => {
  const { turn, lines, told } = watched();
  turn(['get pods', 2], ['post configmaps', 70], ['get nodes', 5]);

  expect(lines).toEqual(['a turn of the event loop took 77 ms of processor time, 70 ms in post configmaps']);
  expect(told()).toContain('coxswain_apiserver_long_turns_total{step="post configmaps"} 1');
});

test('the turns of a start, before anybody is served, are not told of', () => {
  const { watch, turn, pulse, lines } = watched({ isBegun: false });
  turn(['create services', 200]);
  pulse();
  expect(lines).toEqual([]);

  watch.begin();
  turn(['create services', 60]);
  expect(lines).toHaveLength(1);
});

test('a turn within the bound is not told of', () => {
  const { turn, lines, told } = watched();
  turn(['get pods', 20], ['post configmaps', 30]);

  expect(lines).toEqual([]);
  expect(told()).not.toContain('long_turns');
});

test('a turn in which another program had the processor is not told of', () => {
  const { turn, lines } = watched();
  turn(['get pods', 500, 3]);

  expect(lines).toEqual([]);
});

test('a long turn that nobody noted is told of, since the pulse comes late', () => {
  const watch = watched();
  watch.turn(['get pods', 1]);
  watch.pass(90);
  watch.pulse();

  expect(watch.lines).toEqual([
    'a turn of the event loop took 91 ms of processor time in what no step tells of; the last one was get pods',
  ]);
  expect(watch.told()).toContain('coxswain_apiserver_long_turns_total{step="unknown"} 1');
});

test('a long turn is told of once', () => {
  const watch = watched();
  watch.turn(['get pods', 100]);
  watch.pulse();

  expect(watch.lines).toHaveLength(1);
});

test('there is no pulse when nothing is done', () => {
  const watch = watched();
  watch.turn(['get pods', 1]);
  for (let times = 0; times < 200; times++) {
    watch.pass(10, 0);
    watch.pulse();
  }

  expect(watch.hasPulse).toBe(false);
  expect(watch.lines).toEqual([]);
});
