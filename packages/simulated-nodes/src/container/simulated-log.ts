/** The output of a simulated container, and its further output while somebody follows the log. */
import { aborted, type Clock } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { LogOptions } from '@coxswain/kubelet/connection.ts';
import { annotation } from '../behaviour/annotations.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { selectLog, type LogLine } from '../container-log.ts';
import { printedBy } from '../behaviour/endless-loop.ts';
import type { SimulatedContainer } from './simulated-container.ts';

/** @param pod the current object of the container's pod */
export async function* simulatedLog(
  container: SimulatedContainer,
  pod: Pod,
  options: LogOptions,
  clock: Clock,
): AsyncIterable<Uint8Array> {
  let shownMs = clock.now();
  const bytes = selectLog(logLines(container, pod, shownMs), options);
  if (bytes.length > 0) yield bytes;
  if (!options.follow || !container.isRunning) return;
  const hungUp = aborted(options.signal ?? new AbortController().signal);
  const { loop, process, isDefined } = container.behaviour;
  if (process !== undefined || isDefined) return yield* said(container, options, hungUp);
  if (loop === undefined) return void (await Promise.race([container.ended, hungUp]));
  while (container.isRunning && !options.signal?.aborted) {
    const waiting = new AbortController();
    const round = clock.sleep(loop.roundMs, waiting.signal).catch(() => undefined);
    await Promise.race([container.ended, hungUp, round]);
    waiting.abort();
    const fresh = printedBy(loop, container.startedMs, container.endedMs ?? clock.now());
    const news = fresh.filter(({ timeMs }) => timeMs > shownMs);
    shownMs = clock.now();
    if (news.length > 0) yield selectLog(news, { timestamps: options.timestamps ?? false });
  }
}

/** Further output of its process. */
async function* said(
  container: SimulatedContainer,
  options: LogOptions,
  hungUp: Promise<void>,
): AsyncGenerator<Uint8Array> {
  let lines: LogLine[] = [];
  let arrived = Promise.withResolvers<void>();
  const leave = container.follow((line) => {
    lines.push(line);
    arrived.resolve();
  });
  try {
    for (;;) {
      await Promise.race([arrived.promise, container.ended, hungUp]);
      const fresh = lines;
      lines = [];
      arrived = Promise.withResolvers();
      if (fresh.length > 0) yield selectLog(fresh, { timestamps: options.timestamps ?? false });
      else if (!container.isRunning || options.signal?.aborted) return;
    }
  } finally {
    leave();
  }
}

const isUnknown = ({ end, loop, process, isDefined }: Behaviour): boolean =>
  !isDefined && end === undefined && loop === undefined && process === undefined;

const defaultTemplate = '{container} of {namespace}/{pod} started on {node} (simulated)';

export function logLines(container: SimulatedContainer, pod: Pod, nowMs: number): readonly LogLine[] {
  const { spec, restarts, behaviour, startedMs, endedMs, written: said } = container;
  const template = annotation(pod, 'log') ?? (isUnknown(behaviour) ? defaultTemplate : undefined);
  const values: Readonly<Record<string, string>> = {
    pod: pod.metadata?.name ?? '',
    namespace: pod.metadata?.namespace ?? '',
    container: spec.name,
    node: pod.spec?.nodeName ?? '',
    restarts: String(restarts),
  };
  const written =
    template?.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).split('\n') ?? [];
  const looped = behaviour.loop === undefined ? [] : printedBy(behaviour.loop, startedMs, endedMs ?? nowMs);
  const first = [...written, ...behaviour.output].map((text) => ({ timeMs: startedMs, text }));
  return [...first, ...looped, ...said];
}
