/** Figures of the whole machine, from the kernel's files. */
import { readFileSync } from 'node:fs';
import { memoryInfo } from './machine.ts';

/** A tick of the kernel's accounts; 100 a second on all machines that matter here. */
const nanosecondsPerTick = 10_000_000;

/** What all processors have worked since the machine started. */
export function nodeCpuNanoseconds(): number {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = fields.map(Number);
  return (user + nice + system + irq + softIrq + steal) * nanosecondsPerTick;
}

export function processCounts(): { readonly current: number; readonly max: number } {
  const threads = /\d+\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1];
  return { current: Number(threads ?? 0), max: Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8')) };
}

/** What is used, and what of it could not be given back at once. */
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
