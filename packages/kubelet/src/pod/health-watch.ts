/** Updates `started` and `ready` of running containers from their probes: the startup probe first, then the others. */
import { runStep } from '@coxswain/apimachinery';
import type { ProbeKind } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodHost } from './pod-host.ts';
import { Prober } from './prober.ts';

const probeFields = {
  Readiness: 'readinessProbe',
  Liveness: 'livenessProbe',
  Startup: 'startupProbe',
} as const;

/** A container without probes is started and ready at once. */
export function startProbing(host: PodHost, record: ContainerRecord): void {
  record.started = !record.spec.startupProbe;
  if (record.started) return probeRunning(host, record);
  probe(host, record, 'Startup', (success) => {
    if (!success) return host.unhealthy(record, 'startup');
    stopProbing(record);
    record.started = true;
    probeRunning(host, record);
    changed(host);
  });
}

export function stopProbing(record: ContainerRecord): void {
  for (const prober of record.probers ?? []) prober.stop();
  record.probers = undefined;
}

/**
 * A container that is being stopped is no longer restarted by probes, but its readiness still matters until it ends.
 */
export function probeReadinessOnly(record: ContainerRecord): void {
  for (const prober of record.probers ?? []) if (prober.kind !== 'Readiness') prober.stop();
  record.probers = record.probers?.filter(({ kind }) => kind === 'Readiness');
}

function probeRunning(host: PodHost, record: ContainerRecord): void {
  const { readinessProbe, livenessProbe } = record.spec;
  record.ready = !readinessProbe && !record.neverReady;
  if (record.role === 'init') return;
  if (readinessProbe) {
    probe(host, record, 'Readiness', (success) => {
      record.ready = success;
      changed(host);
    });
  }
  if (livenessProbe) {
    probe(host, record, 'Liveness', (success) => {
      if (!success) host.unhealthy(record, 'liveness');
    });
  }
}

function probe(
  host: PodHost,
  record: ContainerRecord,
  kind: ProbeKind,
  decided: (success: boolean) => void,
): void {
  const { runtime, clock } = host.context;
  const asked = record.spec[probeFields[kind]]!;
  const prober = new Prober({
    probe: asked,
    kind,
    clock,
    changed: (success, inARow) =>
      runStep(
        host.context.observer,
        `health/${kind.toLowerCase()}-${success ? 'succeeded' : 'failed'}`,
        () => decided(success),
        { container: record.spec.name, inARow },
      ),
    run: () => runtime.probe(record.id!, asked, kind),
    failed: (output) =>
      host.event('Warning', 'Unhealthy', `${kind} probe failed: ${output}`, record.spec.name),
  });
  record.probers = [...(record.probers ?? []), prober];
}

function changed(host: PodHost): void {
  host.sync();
  host.report();
}
