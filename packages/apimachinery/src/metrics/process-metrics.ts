/** The operating system's data about this process, with the names of Prometheus' clients. */
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const microsInSecond = 1e6;
const nanosInSecond = 1e9;

export function describeProcess(metrics: Metrics): void {
  const startedAtSeconds = (Date.now() - process.uptime() * 1000) / 1000;
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.reading('gauge', name, help, {}, read);
  metrics.reading('counter', 'process_cpu_seconds_total', 'Seconds of processor time.', {}, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / microsInSecond;
  });
  gauge('process_resident_memory_bytes', 'Bytes of memory in use.', () => process.memoryUsage.rss());
  gauge('process_virtual_memory_bytes', 'Bytes of address space.', virtualBytes);
  gauge('process_start_time_seconds', 'When the process began, since 1970.', () => startedAtSeconds);
  gauge('process_open_fds', 'Open files.', openFiles);
  gauge('process_max_fds', 'Files that may be open.', filesMax);
  gauge('nodejs_heap_size_used_bytes', 'Bytes of the heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Bytes of the heap.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Bytes outside of the heap.', () => process.memoryUsage().external);
  // Started by the first scrape, since nothing else reads it.
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  gauge('nodejs_eventloop_lag_p99_seconds', 'How late timers are, at most, in 99 of 100 cases.', () => {
    if (delays === undefined) {
      delays = monitorEventLoopDelay();
      delays.enable();
    }
    return delays.percentile(99) / nanosInSecond;
  });
}

/** 0 if the system doesn't provide it. */
const fromProc = (read: () => number): number => {
  try {
    return read();
  } catch {
    return 0;
  }
};

const virtualBytes = (): number =>
  fromProc(() => Number(/VmSize:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024);

const openFiles = (): number => fromProc(() => readdirSync('/proc/self/fd').length);

const filesMax = (): number =>
  fromProc(() => Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0));
