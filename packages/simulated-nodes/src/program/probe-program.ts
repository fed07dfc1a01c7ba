/** Probes and hooks of a container whose image is defined: they fail if its program fails. */

import { unlessAborted, type Clock } from '@coxswain/apimachinery';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import { httpTarget } from '@coxswain/kubelet/probes/probe-target.ts';
import { runProbe } from '@coxswain/kubelet/probes/run-probe.ts';
import { RuntimeFailure, type ProbeKind, type ProbeResult } from '@coxswain/kubelet/runtime.ts';
import type { HttpServer } from '../network/http-message.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { execute } from '../process/execute.ts';
import { tooLate, within } from '../network/within.ts';
import { probeNetwork, requestOfProbe } from './probe-network.ts';
import type { RunningProgram } from './running-program.ts';

/** A container as seen by its node. */
export interface ContainerVisit {
  /** Of the pod. */
  readonly host: string;
  readonly clock: Clock;
  readonly world: () => Promise<ContainerWorld>;
  /** The server there. @throws NetworkFailure */
  readonly connect: (host: string, port: number) => Promise<HttpServer>;
}

/** As upstream: a hook has no time-out of its own besides the pod's grace period. */
const hookMsMax = 600_000;
/** The maximum length of a command's output in a probe's result. */
const outputCharactersMax = 10 * 1024;

export async function probeProgram(
  program: RunningProgram,
  probe: Probe,
  kind: ProbeKind,
  visit: ContainerVisit,
): Promise<ProbeResult> {
  const own = await program.probe(kind);
  if (own !== undefined) return own;
  return runProbe(probe, {
    container: program.parts.spec,
    host: visit.host,
    network: probeNetwork(visit),
    exec: (command, timeoutMs) => executed(visit, command, timeoutMs, undefined),
  });
}

/** @throws RuntimeFailure if it fails, or the reason of the signal if it aborts meanwhile */
export async function runProgramHook(
  program: RunningProgram,
  { exec, httpGet }: LifecycleHandler,
  visit: ContainerVisit,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (exec) {
    const command = exec.command ?? [];
    const { exitCode, output } = await executed(visit, command, hookMsMax, signal);
    if (exitCode !== 0)
      throw new RuntimeFailure(
        'ExecError',
        `command '${command.join(' ')}' exited with ${exitCode}: ${output}`,
      );
  } else if (httpGet) {
    const target = httpTarget(httpGet, { container: program.parts.spec, host: visit.host });
    const asked = requestOfProbe(visit, target, hookMsMax, 'kube-lifecycle');
    const { status } = await (signal ? unlessAborted(signal, asked) : asked);
    if (status >= 400) throw new RuntimeFailure('HookFailed', `HTTP status ${status}`);
  }
}

async function executed(
  { world, clock }: ContainerVisit,
  command: readonly string[],
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  let output = '';
  const report = (bytes: Uint8Array) => {
    if (output.length < outputCharactersMax) output += new TextDecoder().decode(bytes);
  };
  const over = new AbortController();
  const streams = { stdout: report, stderr: report, signal: over.signal };
  try {
    const running = execute(await world(), command, streams, clock);
    const timely = within(clock, timeoutMs, running);
    const exitCode = await (signal ? unlessAborted(signal, timely) : timely);
    return { exitCode, output: output.slice(0, outputCharactersMax) };
  } catch (failure) {
    if (failure === tooLate)
      throw new Error(`command ${JSON.stringify(command.join(' '))} timed out`, { cause: failure });
    throw failure;
  } finally {
    over.abort();
  }
}
