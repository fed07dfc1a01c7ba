/** Stops containers of a pod: runs their preStop hook, then allows their grace period. */
import { isUp, type ContainerRecord } from './container-record.ts';
import { probeReadinessOnly } from './health-watch.ts';
import { runStopHook } from './lifecycle-hook.ts';
import type { PodHost } from './pod-host.ts';

const defaultGraceSeconds = 30;

export function stopRecord(
  host: PodHost,
  record: ContainerRecord,
  graceMs: number,
  message = `Stopping container ${record.spec.name}`,
): void {
  if (record.stopping || !isUp(record)) return;
  record.stopping = true;
  probeReadinessOnly(record);
  if (record.phase !== 'running' || record.id === undefined) return;
  host.event('Normal', 'Killing', message, record.spec.name);
  host.run(stopRunning(host, record, record.id, graceMs));
}

/** Runs the preStop hook first, within the grace period. */
async function stopRunning(
  host: PodHost,
  { spec }: ContainerRecord,
  id: string,
  graceMs: number,
): Promise<void> {
  const { runtime, clock, observer } = host.context;
  const handler = spec.lifecycle?.preStop;
  if (!handler || graceMs <= 0) return runtime.stopContainer(id, graceMs);
  const failed = () => host.event('Warning', 'FailedPreStopHook', 'PreStopHook failed', spec.name);
  const hook = { runtime, clock, observer, id, kind: 'PreStop', handler } as const;
  const leftMs = await runStopHook(hook, graceMs, failed);
  await runtime.stopContainer(id, leftMs);
}

/** @param probeSeconds the grace period set by a failed probe; a deleted pod uses its own */
export function graceMsOf(
  { pod: { metadata, spec }, graceMsMax }: Pick<PodHost, 'pod' | 'graceMsMax'>,
  probeSeconds?: number | null,
): number {
  const seconds = metadata?.deletionTimestamp ? metadata.deletionGracePeriodSeconds : probeSeconds;
  const wantedMs = (seconds ?? spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000;
  return Math.min(wantedMs, graceMsMax);
}

/** For a pod whose object is gone: the grace period of its deletion, but never zero for real processes. */
export function discardGraceMsOf(host: PodHost): number {
  if (!host.context.runtime.outlivesKubelet) return 0;
  const seconds = host.pod.metadata?.deletionGracePeriodSeconds;
  return seconds === undefined || seconds === null ? graceMsOf(host) : Math.max(1, seconds) * 1000;
}
