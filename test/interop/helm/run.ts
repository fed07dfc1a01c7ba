/**
 * `KUBECONFIG=FILE npm run helm-commands -- --helm PATH --kubectl PATH > FILE`: what Helm 4 says of the chart beside this
 * file and leaves in the cluster, without what differs from run to run, so that two clusters can be compared by `diff`.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    helm: { type: 'string', default: 'helm' },
    kubectl: { type: 'string', default: 'kubectl' },
    namespace: { type: 'string', default: 'shop' },
  },
});
const { namespace } = options;
const chart = path.join(import.meta.dirname, 'chart');

const replacements: readonly (readonly [RegExp, string])[] = [
  [/[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]+ [\d:]+ (UTC )?\d+/g, 'DATE'],
  [/\d{4}-\d{2}-\d{2}[T ][\d:.]+( ?\+0000 UTC|Z)?/g, 'DATE'],
  [/time=\S+/g, 'time=T'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UID'],
  [/(one-web-[\da-f]+)-\w{5}/g, '$1-POD'],
  [/\b10\.\d+\.\d+\.\d+/g, 'ADDRESS'],
  [/\b(\d+m)?\d+s$/gm, 'AGE'],
  [/^.*reflector\.go.*\n/gm, ''],
  [/ +/g, ' '],
];
const same = (text: string): string =>
  replacements.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);

function run(program: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', timeout: 180_000 });
  return `${same(stdout + stderr)}status ${status}`;
}

const helm = (line: string): void =>
  console.log(`### helm ${line}\n${run(options.helm, [...line.split(' '), '-n', namespace])}`);

const kinds = 'configmaps,deployments,services,widgets,jobs,secrets';

/** What there is, who manages it, and how it is. */
function state(): void {
  const columns = [
    'KIND:.kind,NAME:.metadata.name,LABELS:.metadata.labels.app\\.kubernetes\\.io/managed-by',
    'MANAGERS:.metadata.managedFields[*].manager,AS:.metadata.managedFields[*].operation',
    'DATA:.data.greeting,REPLICAS:.spec.replicas,SIZE:.spec.size,READY:.status.readyReplicas',
    'GENERATION:.metadata.generation,STATUS:.metadata.labels.status',
  ];
  const args = ['get', kinds, '-n', namespace, '--show-managed-fields', '-o', `custom-columns=${columns}`];
  console.log(`## state\n${run(options.kubectl, args)}`);
}

run(options.kubectl, ['create', 'namespace', namespace]);
run(options.kubectl, ['create', 'configmap', 'existing', '-n', namespace, '--from-literal=a=b']);
helm(`template one ${chart}`);
helm(`install one ${chart} --dry-run=server`);
helm(`install one ${chart} --wait --wait-for-jobs --timeout 90s`);
state();
helm('status one');
helm('list');
helm('get manifest one');
helm(`upgrade one ${chart} --set replicas=3,greeting=hi --wait --timeout 90s`);
state();
helm(`upgrade one ${chart} --set broken=true`);
helm(`upgrade one ${chart} --set broken=true --rollback-on-failure --timeout 60s`);
helm(`upgrade one ${chart} --set replicas=-1`);
helm('history one');
helm('rollback one 1 --wait --timeout 90s');
state();
helm('test one --timeout 60s');
helm(`upgrade one ${chart} --server-side=false --set replicas=1 --wait --timeout 90s`);
state();
const scale = ['patch', 'deployment', 'one-web', '-n', namespace, '-p', '{"spec":{"replicas":5}}'];
run(options.kubectl, [...scale, '--field-manager=somebody']);
helm(`upgrade one ${chart} --server-side=true --set replicas=4`);
helm(`upgrade one ${chart} --server-side=true --force-conflicts --set replicas=4 --wait --timeout 90s`);
helm(`upgrade one ${chart} --force-replace --server-side=false --set replicas=2`);
state();
helm(`install one ${chart}`);
helm('uninstall one --wait --timeout 90s');
state();
helm('uninstall one');
