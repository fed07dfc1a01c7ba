/** Access to running containers: commands, streams, ports, logs, probes and hooks. */
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { Clock } from '@coxswain/apimachinery';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import type { ExecStreams, LogOptions } from '../connection.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { httpGet } from '../probes/http-request.ts';
import { machineNetwork } from '../probes/machine-network.ts';
import { httpTarget } from '../probes/probe-target.ts';
import { runProbe } from '../probes/run-probe.ts';
import { RuntimeFailure, type ProbeKind, type ProbeResult, type Sandbox } from '../runtime.ts';
import type { LiveContainer, LiveContainers } from './live-containers.ts';
import { readLog } from './log-reader.ts';
import { carryCommand, carryPort } from './runtime-streams.ts';

export interface ContainerAccessOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly live: LiveContainers;
  readonly hostIps: () => readonly string[];
  readonly metrics?: Pick<KubeletMetrics, 'probed'> | undefined;
}

export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

const hookMsMax = 600_000;
const execExtraMs = 5_000;
/** The limit for the output of a probe's command. */
const outputBytesMax = 10 * 1024;

export class ContainerAccess {
  readonly #options: ContainerAccessOptions;

  constructor(options: ContainerAccessOptions) {
    this.#options = options;
  }

  async probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    const { live, clock, metrics } = this.#options;
    const found = live.get(id);
    if (found === undefined) return { success: false, output: 'container not found' };
    const beganMs = clock.monotonic();
    const result = await runProbe(probe, {
      container: found.container,
      host: this.#hostOf(found),
      network: machineNetwork(clock),
      exec: (command, timeoutMs) => this.#execSync(id, command, timeoutMs),
    });
    metrics?.probed(found.pod, found.container.name, kind, result.success, clock.monotonic() - beganMs);
    return result;
  }

  /** @throws RuntimeFailure */
  async runHook(id: string, handler: LifecycleHandler, signal: AbortSignal | undefined): Promise<void> {
    const live = this.#options.live.get(id);
    if (live === undefined) throw new RuntimeFailure('NotFound', 'container not found');
    if (handler.exec) {
      const { exitCode, output } = await this.#execSync(id, handler.exec.command ?? [], 0, signal);
      const command = (handler.exec.command ?? []).join(' ');
      if (exitCode !== 0)
        throw new RuntimeFailure('ExecError', `command '${command}' exited with ${exitCode}: ${output}`);
    } else if (handler.httpGet) {
      const target = httpTarget(handler.httpGet, { container: live.container, host: this.#hostOf(live) });
      const { status } = await httpGet(target, hookMsMax, 'kube-lifecycle');
      if (status >= 400) throw new RuntimeFailure('HookFailed', `HTTP status ${status}`);
    } else throw new RuntimeFailure('HookFailed', 'invalid handler: no known hook');
  }

  /** @throws RuntimeFailure if the container no longer exists */
  async *logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const live = this.#options.live.get(id);
    if (live === undefined) throw new RuntimeFailure('NotFound', `container ${id} is not there any more`);
    const file = { path: live.logFile, clock: this.#options.clock, isRunning: () => live.isRunning };
    yield* readLog(file, options);
  }

  async exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    return carryCommand(await this.execUrl(id, command, wanted(streams)), streams);
  }

  async attach(id: string, streams: ExecStreams): Promise<void> {
    await carryCommand(await this.attachUrl(id, wanted(streams)), streams);
  }

  async portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void> {
    await carryPort(await this.portForwardUrl(sandbox.id, [port]), port, streams);
  }

  /** Returns the URL for the streams of a command. @throws GrpcError */
  async execUrl(id: string, command: readonly string[], streams: WantedStreams): Promise<string> {
    return (await this.#options.cri.exec({ containerId: id, cmd: command, ...streams })).url;
  }

  async attachUrl(id: string, streams: WantedStreams): Promise<string> {
    return (await this.#options.cri.attach({ containerId: id, ...streams })).url;
  }

  async portForwardUrl(sandboxId: string, ports: readonly number[]): Promise<string> {
    return (await this.#options.cri.portForward({ podSandboxId: sandboxId, port: ports })).url;
  }

  #hostOf({ pod, ips }: LiveContainer): string {
    const addresses = pod.spec?.hostNetwork ? this.#options.hostIps() : ips;
    return addresses[0] ?? '127.0.0.1';
  }

  async #execSync(id: string, command: readonly string[], timeoutMs: number, signal?: AbortSignal) {
    const timeout = Math.ceil(timeoutMs / 1000);
    const options = {
      ...(timeoutMs > 0 ? { timeoutMs: timeoutMs + execExtraMs } : {}),
      ...(signal && { signal }),
    };
    try {
      const answer = await this.#options.cri.execSync({ containerId: id, cmd: command, timeout }, options);
      const output = Buffer.concat([answer.stdout, answer.stderr]).toString('utf8', 0, outputBytesMax);
      return { exitCode: answer.exitCode, output };
    } catch (error) {
      throw new RuntimeFailure('ExecError', grpcFailureText(error));
    }
  }
}

/** A terminal has a single output stream. */
const wanted = ({ stdin, stdout, stderr, tty = false }: ExecStreams): WantedStreams => ({
  stdin: stdin !== undefined,
  stdout: stdout !== undefined,
  stderr: stderr !== undefined && !tty,
  tty,
});
