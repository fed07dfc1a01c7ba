import { ManualClock, type Timer } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { threadCpuTime, TurnWatch } from './turn-watch.ts';

/** A turn watch in a thread whose time the test advances, by work or by other programs. */
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
    reported: () => metrics.exposition(),
    pass,
    /** Fires the pulse when the loop gets to it. */
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

test('a long turn is reported with the work that took longest', () => {
  const { turn, lines, reported } = watched();
  turn(['get pods', 2], ['post configmaps', 70], ['get nodes', 5]);

  expect(lines).toEqual(['a turn of the event loop took 77 ms of processor time, 70 ms in post configmaps']);
  expect(reported()).toContain('coxswain_apiserver_long_turns_total{step="post configmaps"} 1');
});

test('turns during startup are not reported', () => {
  const { watch, turn, pulse, lines } = watched({ isBegun: false });
  turn(['create services', 200]);
  pulse();
  expect(lines).toEqual([]);

  watch.begin();
  turn(['create services', 60]);
  expect(lines).toHaveLength(1);
});

test('a turn within the limit is not reported', () => {
  const { turn, lines, reported } = watched();
  turn(['get pods', 20], ['post configmaps', 30]);

  expect(lines).toEqual([]);
  expect(reported()).not.toContain('long_turns');
});

test('a turn in which another program had the processor is not reported', () => {
  const { turn, lines } = watched();
  turn(['get pods', 500, 3]);

  expect(lines).toEqual([]);
});

test('a long turn without notes is reported because the pulse is late', () => {
  const watch = watched();
  watch.turn(['get pods', 1]);
  watch.pass(90);
  watch.pulse();

  expect(watch.lines).toEqual([
    'a turn of the event loop took 91 ms of processor time outside of any step; the last one was get pods',
  ]);
  expect(watch.reported()).toContain('coxswain_apiserver_long_turns_total{step="unknown"} 1');
});

test('a long turn is reported once', () => {
  const watch = watched();
  watch.turn(['get pods', 100]);
  watch.pulse();

  expect(watch.lines).toHaveLength(1);
});

test('there is no pulse without work', () => {
  const watch = watched();
  watch.turn(['get pods', 1]);
  for (let times = 0; times < 200; times++) {
    watch.pass(10, 0);
    watch.pulse();
  }

  expect(watch.hasPulse).toBe(false);
  expect(watch.lines).toEqual([]);
});

test('time is that of the thread, of the process, or of the clock, whichever is known', () => {
  const clock = { monotonic: () => 7 };
  const thread = { threadCpuUsage: () => ({ user: 2_000, system: 500 }) };
  const whole = { cpuUsage: () => ({ user: 4_000, system: 1_000 }) };
  expect(threadCpuTime(clock, { ...whole, ...thread })()).toBe(2.5);
  expect(threadCpuTime(clock, whole)()).toBe(5);
  expect(threadCpuTime(clock, {})()).toBe(7);
});
