/**
 * Access to containers that are driven by stages, as defined by kwok's Logs, Exec, Attach and PortForward. Such a
 * container consists of nothing but files on this machine, addresses that this machine can reach, and a simulated
 * shell.
 */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { badRequest, notFound, type Clock, type Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type {
  ContainerTarget,
  ExecStreams,
  KubeletConnection,
  LogOptions,
  PodTarget,
} from '@coxswain/kubelet';
import { selectLog, type LogLine } from '@coxswain/simulated-nodes/container-log.ts';
import { ContainerFiles } from '@coxswain/simulated-nodes/process/container-files.ts';
import { contentSources, noSources } from '@coxswain/simulated-nodes/process/pod-sources.ts';
import { containerWorld } from '@coxswain/simulated-nodes/process/container-world.ts';
import { execute } from '@coxswain/simulated-nodes/process/execute.ts';
import type { SimulatedNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import { entriesFor, entryFor, type PodRules } from './kwok-objects.ts';

export interface PlayedPodsParts {
  readonly rules: PodRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly network: SimulatedNetwork;
  /** The known pods of a node. */
  readonly podsOn: (nodeName: string) => readonly Pod[];
}

/** The polling interval for a log that is followed. */
const lookEveryMs = 1000;

export const playedNode = (parts: PlayedPodsParts, nodeName: string): KubeletConnection => ({
  pods: () => parts.podsOn(nodeName),
  logs: async (target, options) => logsOf(parts, target, options),
  exec: (target, command, streams) => exec(parts, podOf(parts, nodeName, target), target, command, streams),
  async attach(target, streams) {
    const file = entryFor(parts.rules.attaches, target, target.container)?.logsFile;
    if (file === undefined) throw nothingSaid('attach', target);
    for await (const chunk of linesIn(parts, file, { follow: true, ...signalOf(streams) }))
      await streams.stdout?.(chunk);
  },
  portForward: (target, port, streams) => forward(parts, target, port, streams),
});

const signalOf = ({ signal }: ExecStreams) => (signal === undefined ? {} : { signal });

const nothingSaid = (what: string, { namespace, name, container }: ContainerTarget) =>
  badRequest(
    `no ${what} found for container "${container}" in pod "${namespace}/${name}": no object of kwok says it`,
  );

function podOf({ podsOn }: PlayedPodsParts, nodeName: string, { namespace, name }: PodTarget): Pod {
  const pod = podsOn(nodeName).find(
    ({ metadata }) => metadata?.namespace === namespace && metadata.name === name,
  );
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return pod;
}

function logsOf(parts: PlayedPodsParts, target: ContainerTarget, options: LogOptions) {
  const entry = entryFor(parts.rules.logs, target, target.container);
  const file = options.previous ? entry?.previousLogsFile : entry?.logsFile;
  if (file === undefined) throw nothingSaid(options.previous ? 'previous logs' : 'logs', target);
  const follow = options.follow === true && entry?.follow === true && !options.previous;
  return linesIn(parts, file, { ...options, follow });
}

/** Yields the lines of a file and, if it is followed, those that are appended. */
async function* linesIn(
  { clock }: PlayedPodsParts,
  file: string,
  options: LogOptions,
): AsyncGenerator<Uint8Array> {
  const { follow = false, signal } = options;
  let { lines, end } = await readLines(file, 0);
  yield selectLog(lines, options);
  while (follow && signal?.aborted !== true) {
    try {
      await clock.sleep(lookEveryMs, signal);
    } catch {
      return;
    }
    ({ lines, end } = await readLines(file, end));
    if (lines.length > 0) yield selectLog(lines, { timestamps: options.timestamps ?? false });
  }
}

/** Returns complete lines from an offset, and where they end. @throws StatusError if there is no such file */
async function readLines(file: string, start: number): Promise<{ lines: LogLine[]; end: number }> {
  const lines: LogLine[] = [];
  let end = start;
  try {
    await (await open(file)).close();
  } catch (failure) {
    throw badRequest(`the log is not to be read: ${messageOf(failure)}`);
  }
  for await (const line of createInterface({ input: createReadStream(file, { start }) })) {
    end += Buffer.byteLength(line) + 1;
    lines.push(parseLine(line));
  }
  return { lines, end };
}

/** Accepts the runtimes' format, `2026-01-01T00:00:00Z stdout F text`, or plain text. */
function parseLine(line: string): LogLine {
  const [, time, text] = /^(\d{4}-\d\d-\d\dT\S+) (?:stdout|stderr) [FP](?::\S*)? (.*)$/.exec(line) ?? [];
  return time === undefined ? { timeMs: 0, text: line } : { timeMs: Date.parse(time), text: text! };
}

/** Uses the commands of simulated containers: none of them runs on this machine. */
async function exec(
  { rules, clock, random, network }: PlayedPodsParts,
  pod: Pod,
  target: ContainerTarget,
  command: readonly string[],
  streams: ExecStreams,
): Promise<number> {
  const entry = entryFor(rules.execs, target, target.container);
  if (entry === undefined) throw nothingSaid('exec', target);
  const container = pod.spec?.containers.find(({ name }) => name === target.container);
  if (container === undefined) throw nothingSaid('exec', target);
  const { workDir, envs = [] } = entry.local ?? {};
  const world = await containerWorld(
    pod,
    { ...container, ...(workDir !== undefined && { workingDir: workDir }) },
    {
      addresses: (pod.status?.podIPs ?? []).map(({ ip }) => ip ?? ''),
      sources: contentSources(noSources, { hostIps: [], podIps: [], allocatable: {} }),
      network,
      shared: { ofPod: () => new ContainerFiles(), ofNode: new ContainerFiles() },
      random,
      nowMs: clock.now(),
    },
  );
  const env = new Map([...world.env, ...envs.map(({ name, value = '' }) => [name, value] as const)]);
  return execute({ ...world, env }, command, streams, clock);
}

async function forward(
  { rules }: PlayedPodsParts,
  pod: PodTarget,
  port: number,
  { stdin, stdout, signal }: ExecStreams,
): Promise<void> {
  const all = entriesFor(rules.forwards, pod).flat();
  const entry =
    all.find(({ ports = [] }) => ports.includes(port)) ?? all.find(({ ports = [] }) => ports.length === 0);
  const { target, command } = entry ?? {};
  if (command !== undefined) throw badRequest('a PortForward with a command is not run: give it a target');
  if (target === undefined)
    throw badRequest(`no target for port ${port} of pod "${pod.namespace}/${pod.name}"`);
  const socket = net.connect({ host: target.address, port: target.port, ...(signal && { signal }) });
  const sending = (async () => {
    for await (const chunk of stdin ?? []) socket.write(chunk);
    socket.end();
  })();
  sending.catch(() => socket.destroy());
  for await (const chunk of socket) await stdout?.(chunk as Uint8Array);
}
