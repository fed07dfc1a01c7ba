/** Usage of the whole machine, from the kernel's files. */
import { readFileSync } from 'node:fs';
import { memoryInfo } from './machine.ts';

/** The kernel's accounting tick: 100 per second on all relevant machines. */
const nanosecondsPerTick = 10_000_000;

/** The CPU time of all processors since boot. */
export function nodeCpuNanoseconds(): number {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = fields.map(Number);
  return (user + nice + system + irq + softIrq + steal) * nanosecondsPerTick;
}

export function processCounts(): { readonly current: number; readonly max: number } {
  const threads = /\d+\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1];
  return { current: Number(threads ?? 0), max: Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8')) };
}

/** Used memory, and the working set, which can't be reclaimed at once. */
export function nodeMemory() {
  const info = memoryInfo();
  const of = (name: string) => info.get(name) ?? 0;
  const usageBytes = of('MemTotal') - of('MemFree');
  return {
    availableBytes: of('MemAvailable'),
    usageBytes,
    workingSetBytes: Math.max(0, of('MemTotal') - of('MemAvailable')),
    rssBytes: of('AnonPages'),
    pageFaults: 0,
    majorPageFaults: 0,
  };
}
