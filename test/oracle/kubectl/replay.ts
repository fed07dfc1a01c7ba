/** Replays recorded cases of kubectl in this process, and tells where it prints something else. */
import type { Transport } from '@coxswain/client/transport.ts';
import { differencesOf } from '../../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer, type CaseResult } from '../../../packages/kube-apiserver/test/oracle/replay.ts';
import { commandsOf, type CommandStep, type KubectlArea, type KubectlCase, type Printed } from './case.ts';
import { playKubectlCase, serverAddress } from './play.ts';

const casesAtOnce = 4;

/** Commands that print something else, and why. */
const knownDifferences: Readonly<Record<string, string>> = {
  'config/contexts#12': 'help texts have sentences of their own',
  'discovery/explain-custom#1': 'what the fields of all objects are for is found out by a build',
};

export async function replayKubectl({ area, cases }: KubectlArea): Promise<CaseResult[]> {
  const server = await recordedServer();
  const transport: Transport = Object.assign(server.inProcess(undefined, { structured: false }), {
    address: serverAddress,
  });
  const results: CaseResult[] = [];
  const play = async (one: KubectlCase) => void results.push(await replayCase(area, one, transport));
  const playable: KubectlCase[] = [];
  for (const one of cases) {
    const leftOut = whyLeftOut(one);
    if (leftOut === undefined) playable.push(one);
    else results.push({ area, name: one.name, failures: [], leftOut });
  }
  for (const one of playable.filter(isAlone)) await play(one);
  const rest = playable.filter((one) => !isAlone(one)).values();
  await Promise.all(
    Array.from({ length: casesAtOnce }, async () => {
      for (const one of rest) await play(one);
    }),
  );
  await server.stop();
  return results;
}

/** What it does, or lists, is not within a namespace. */
const isAlone = ({ cluster = false, setup = [] }: KubectlCase): boolean =>
  cluster || setup.some((object) => 'http' in object || clusterWide.has(object.kind));

const clusterWide = new Set(['Node', 'ClusterRole', 'ClusterRoleBinding', 'CustomResourceDefinition', 'PersistentVolume']);

/** What a case needs that is not within this process; undefined for nothing. */
function whyLeftOut({ needs = [], files = {}, steps }: KubectlCase): string | undefined {
  const commands = commandsOf(steps);
  const isScript = (content: unknown) => typeof content === 'object' && content !== null && 'script' in content;
  const runsEditor = ({ env = {} }: CommandStep) => Object.keys(env).some((name) => name.endsWith('EDITOR'));
  if (Object.values(files).some(isScript) || commands.some(runsEditor)) return 'programs';
  const needsSocket = ({ cmd: [name = '', ...args] }: CommandStep) =>
    ['proxy', 'port-forward'].includes(name) || args.some((arg) => arg === '-s' || arg.startsWith('--server='));
  if (needs.includes('tls') || commands.some(needsSocket)) return 'sockets';
  // Which requests are sent depends on what a cache on disk knows.
  return commands.some(({ klog = false }) => klog) ? 'a cache of discovery' : undefined;
}

async function replayCase(area: string, one: KubectlCase, transport: Transport): Promise<CaseResult> {
  const { answers, problem, needsSocket } = await playKubectlCase(one, transport);
  if (needsSocket) return { area, name: one.name, failures: [], leftOut: 'sockets' };
  const steps = commandsOf(one.steps);
  const failures = one.answers.flatMap((recorded, at) => {
    const step = steps[at]!;
    const got = answers[at];
    if (got === undefined && problem !== undefined) return [];
    if (knownDifferences[`${area}/${one.name}#${at + 1}`] !== undefined) return [];
    const differences = differencesOf(counting(recorded, step), got && counting(got, step));
    return differences.length === 0
      ? []
      : [{ step: `${at + 1}`, request: `kubectl ${step.cmd.join(' ')}`, differences }];
  });
  return { area, name: one.name, failures, ...(problem !== undefined && { problem }) };
}

/** Lines of the log library count where a step says so; ages of years depend on the day. */
function counting(printed: Printed, { klog = false }: CommandStep): Printed {
  const counted = (lines: readonly string[]) =>
    lines
      .filter((line) => klog || !line.startsWith('<klog '))
      .map((line) => line.replaceAll(/\b\d+y\d+d\b/g, '<age>'));
  const { exit, stdout, stderr } = printed;
  return { exit, ...(stdout && { stdout: counted(stdout) }), ...(stderr && { stderr: counted(stderr) }) };
}
