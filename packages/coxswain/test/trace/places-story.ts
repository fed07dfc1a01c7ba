/**
 * Runs undertakings of all kinds on the sources as loaded by Node. Prints a line for each step whose position
 * contradicts the stack or the text, and the number of steps of each kind.
 */

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { runKubectl } from '@coxswain/kubectl';
import { processIo } from '@coxswain/kubectl/process-io.ts';
import type { RecordedStep } from '@coxswain/trace/recorder.ts';
import type { Step } from '@coxswain/trace/recording.ts';
import { startCluster, type Cluster } from '../../src/cluster/cluster.ts';
import { nodeRecorder } from '../../src/trace/node-recorder.ts';
import { unknownStep } from '../../src/tracing/step-names.ts';
import { checkedObserver, type Expected } from './checked-observer.ts';

const root = path.join(import.meta.dirname, '../../../..');
const objects = path.join(import.meta.dirname, 'objects');

/** Those after `!` fail. */
const commands: readonly string[] = [
  'create deployment web --image=nginx --replicas=2',
  'rollout status deployment/web',
  'set image deployment/web nginx=nginx:2',
  'rollout status deployment/web',
  'scale deployment web --replicas=1',
  'expose deployment web --port=80',
  'patch deployment web --type=json -p [{"op":"add","path":"/metadata/labels/a","value":"b"}]',
  'patch deployment web --type=merge -p {"spec":{"paused":true}}',
  `apply -f ${objects}/config.yaml`,
  `apply --server-side --force-conflicts -f ${objects}/config.yaml`,
  `replace -f ${objects}/config.yaml`,
  `create -f ${objects}/policy.yaml`,
  'create secret generic login --from-literal=password=hushhush',
  'get deployments,pods,services -o wide',
  'get configmaps settings -o yaml',
  'get --raw /apis/events.k8s.io/v1/namespaces/default/events',
  'auth can-i create pods',
  'autoscale deployment web --max=3',
  'create job once --image=busybox',
  'rollout resume deployment web',
  'rollout undo deployment web',
  'rollout restart deployment web',
  'rollout history deployment web',
  'delete deployment web --cascade=foreground',
  'delete configmap settings',
  `apply -f ${objects}/shop.yaml`,
  'rollout status statefulset/db',
  'label pod db-0 tier=storage',
  'annotate pod db-0 note=a',
  'describe pod db-0',
  'create configmap dry --dry-run=server',
  'delete serviceaccount default --dry-run=server',
  'create token default',
  'create role reader --verb=get --resource=pods',
  'create rolebinding readers --role=reader --user=alice',
  'auth can-i get pods --as=alice',
  'get pod db-0 --as=alice',
  'auth whoami',
  'api-resources',
  'explain pods.spec',
  `apply -f ${objects}/secret.yaml`,
  `apply -f ${objects}/secret.yaml --prune --all --prune-allowlist=core/v1/ConfigMap`,
  `apply -k ${objects}/kustomization`,
  `auth reconcile -f ${objects}/roles.yaml`,
  'debug db-0 --image=busybox -- true',
  '__complete get pods d',
  'cluster-info',
  'top nodes',
  'get --raw /metrics',
  'get --raw /readyz?verbose',
  `! create --raw /api/v1/namespaces/default/pods/db-0/eviction -f ${objects}/eviction.json`,
  'drain node-1 --pod-selector=none=none',
  'uncordon node-1',
  'cordon node-1',
  'uncordon node-1',
  'taint nodes node-1 held=yes:NoExecute',
  `create -f ${objects}/too-large.yaml`,
  `create -f ${objects}/boats.yaml`,
  'wait --for=condition=Established crd/boats.example.com',
  'get boats',
  'delete crd boats.example.com',
  '! run none --image=nginx -n shop',
  '! run Bad_Name --image=nginx',
  '! get pods --as=bob',
  '! get nothing',
  '! create serviceaccount default',
  `! replace -f ${objects}/stale.yaml`,
  'delete namespace shop',
];

const io = processIo();
const texts = new Map<string, string>();
/**
 * The code that runs at each step's position: it must always be the same, or the position is only an intermediate one.
 */
const bodies = new Map<string, string>();
const recorder = nodeRecorder();
const expected = new Map<unknown, Expected>();
const observer = checkedObserver(recorder.observer, expected);
const cluster = await startCluster({ observer, nodes: 2, leaderElection: true, servesMetrics: true });
const watching = new AbortController();
const watch = watchPods(cluster, watching.signal);
for (const line of commands) {
  const command = line.replace(/^! /, '');
  const status = await kubectl(cluster, command);
  if ((status === 0) === (line !== command)) console.log(`kubectl ${command}: exit code ${status}`);
}
watching.abort();
await watch;
await cluster.stop();

const recording = recorder.recording();
const counts: Record<string, number> = {};
for (const [index, undertaking] of recording.undertakings.entries()) {
  counts[undertaking.kind] = (counts[undertaking.kind] ?? 0) + 1;
  checkAll(undertaking.steps, recorder.undertakings[index]!.steps);
}
console.log(JSON.stringify({ counts, steps: expected.size }));

async function kubectl({ transport }: Cluster, command: string): Promise<number> {
  const scope = observer.scope?.(() => ({
    kind: 'command',
    component: 'kubectl',
    name: command.split(' ', 2).join(' '),
  }));
  return runKubectl(command.split(' '), {
    ...io,
    out: { ...io.out, write: () => undefined },
    err: { ...io.err, write: () => undefined },
    clock: systemClock,
    random: systemRandom,
    transport: transport(),
    observer: scope,
  });
}

async function watchPods(of: Cluster, signal: AbortSignal): Promise<void> {
  try {
    for await (const { type } of of.client().resource('v1', 'pods').watch({ signal }))
      if (type === 'ERROR') return;
  } catch {
    // The process was told to end.
  }
}

function checkAll(written: readonly Step[], recorded: readonly RecordedStep[]): void {
  for (const [index, step] of written.entries()) {
    const wanted = expected.get(recorded[index]);
    const problem =
      unknownStep(step.name) ?? (wanted === undefined ? 'nobody saw it begin' : problemOf(step, wanted));
    if (problem !== undefined)
      console.log(`${step.name} at ${step.file}:${step.line}:${step.column}: ${problem}`);
    if (/hushhush|aHVzaGh1c2g=/.test(JSON.stringify(step.values) ?? ''))
      console.log(`${step.name} tells a Secret`);
    checkAll(step.steps, recorded[index]!.steps ?? []);
  }
}

function problemOf(step: Step, wanted: Expected): string | undefined {
  if (step.function === '' && wanted.kind === 'function') return 'its function has no name';
  const text = sourceText(step.file);
  const lines = text.split('\n');
  const before = lines.slice(0, step.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const offset = before + (step.column ?? 1) - 1;
  if (wanted.kind === 'stack') {
    const place = `${path.relative(root, wanted.file)}:${wanted.line}:${wanted.column}`;
    if (place !== `${step.file}:${step.line}:${step.column}`) return `the stack says ${place}`;
    if (!text.startsWith('runStep', offset)) return 'no step is taken there';
    const known = bodies.get(place) ?? wanted.body;
    bodies.set(place, known);
    return known === wanted.body
      ? undefined
      : 'what is run there stands elsewhere: take the step where it stands';
  }
  // A function's position lies in its head: after its name, or before it.
  for (let at = text.indexOf(wanted.text); at >= 0; at = text.indexOf(wanted.text, at + 1))
    if (at <= offset && offset <= at + wanted.text.length) return undefined;
  const isBound = /^#?\w+$/.test(wanted.text);
  if (isBound && lines[step.line - 1]?.includes(wanted.text)) return undefined;
  return `there is no ${wanted.text.slice(0, 60)}`;
}

/** The text as Node runs it: without types, with all positions unchanged. */
function sourceText(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'));
    texts.set(file, text);
  }
  return text;
}
