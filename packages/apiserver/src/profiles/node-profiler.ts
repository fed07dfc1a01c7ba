/** Profiles this process with Node's built-in inspector. */
import { Session } from 'node:inspector/promises';
import type { HeapProfiler, Profiler as CpuProfiler } from 'node:inspector';
import type { Profiler } from '../debug/profiles.ts';
import type { Clock } from '@coxswain/apimachinery';
import { pprofBytes, type ProfileNode, type ProfileSample } from './pprof.ts';

const intervalUs = 1000;
const heapIntervalBytes = 64 * 1024;
const bytes = { type: 'inuse_space', unit: 'bytes' };
const nanoseconds = { type: 'cpu', unit: 'nanoseconds' };
const count = { type: 'samples', unit: 'count' };

export function nodeProfiler(clock: Clock): Profiler {
  let isBusy = false;
  const alone = async (work: (session: Session) => Promise<Uint8Array>): Promise<Uint8Array> => {
    if (isBusy) throw new Error('cpu profiling already in use');
    isBusy = true;
    const session = new Session();
    session.connect();
    try {
      return await work(session);
    } finally {
      session.disconnect();
      isBusy = false;
    }
  };
  return {
    cpu: (durationMs) => alone((session) => cpuProfile(session, clock, durationMs)),
    heap: (durationMs) => alone((session) => heapProfile(session, clock, durationMs)),
  };
}

async function cpuProfile(session: Session, clock: Clock, durationMs: number): Promise<Uint8Array> {
  const startedAtMs = clock.now();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: intervalUs });
  await session.post('Profiler.start');
  await clock.sleep(durationMs);
  const { profile } = await session.post('Profiler.stop');
  return pprofBytes({
    ...ofCpu(profile),
    sampleTypes: [count, nanoseconds],
    startedAtMs,
    durationMs,
    periodType: nanoseconds,
    period: intervalUs * 1000,
  });
}

function ofCpu({ nodes, samples = [], timeDeltas = [] }: CpuProfiler.Profile) {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const parentOf = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const totals = new Map<number, { count: number; us: number }>();
  for (const [at, id] of samples.entries()) {
    const total = totals.get(id) ?? { count: 0, us: 0 };
    total.count++;
    total.us += timeDeltas[at] ?? intervalUs;
    totals.set(id, total);
  }
  const stackOf = (id: number): number[] => {
    const stack: number[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at))
      stack.push(indexOf.get(at)!);
    return stack;
  };
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  const busy = [...totals].filter(([id]) => !idle.has(id));
  const found: ProfileSample[] = busy.map(([id, total]) => ({
    stack: stackOf(id),
    values: [total.count, total.us * 1000],
  }));
  return { nodes: nodes.map(({ callFrame }) => nodeOf(callFrame)), samples: found };
}

async function heapProfile(session: Session, clock: Clock, durationMs: number): Promise<Uint8Array> {
  const startedAtMs = clock.now();
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', { samplingInterval: heapIntervalBytes });
  await clock.sleep(durationMs);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  return pprofBytes({
    ...ofHeap(profile.head),
    sampleTypes: [bytes],
    startedAtMs,
    durationMs,
    periodType: bytes,
    period: heapIntervalBytes,
  });
}

function ofHeap(head: HeapProfiler.SamplingHeapProfileNode) {
  const nodes: ProfileNode[] = [];
  const samples: ProfileSample[] = [];
  const walk = (node: HeapProfiler.SamplingHeapProfileNode, above: readonly number[]) => {
    const stack = [nodes.push(nodeOf(node.callFrame)) - 1, ...above];
    if (node.selfSize > 0) samples.push({ stack, values: [node.selfSize] });
    for (const child of node.children) walk(child, stack);
  };
  walk(head, []);
  return { nodes, samples };
}

const nodeOf = ({
  functionName,
  url,
  lineNumber,
}: {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}): ProfileNode => ({ functionName, url, line: Math.max(0, lineNumber + 1) });
