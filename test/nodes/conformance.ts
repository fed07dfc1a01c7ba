/**
 * Conformance tests of the original that need running containers, against one real node of ours, in a network of its own:
 * `node test/nodes/conformance.ts E2E_TEST AGNHOST FOCUS [SECONDS]`, as root. E2E_TEST and AGNHOST are built from the Go
 * module (`k8s.io/kubernetes/test/e2e`, `…/test/images/agnhost`), FOCUS is a pattern of names. Prints what passed and
 * what failed. Images other than agnhost, busybox and pause can't be had without a registry: tests with them fail.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startContainerd } from './containerd.ts';
import { startMachines } from './machines.ts';

const [e2e, agnhost, focus, seconds = '600'] = process.argv.slice(2);
if (e2e === undefined || agnhost === undefined || focus === undefined)
  throw new Error('usage: conformance.ts E2E_TEST AGNHOST FOCUS [SECONDS]');
const program = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const promoted = 'registry.k8s.io/e2e-test-images';

const machines = startMachines(['only']);
const [machine] = machines.all;
if (machine === undefined) throw new Error('no machine');
const containerd = await startContainerd({ networkNamespace: machine.namespace, hasNoNetwork: true });
try {
  containerd.importImage(
    `${promoted}/agnhost:2.63.0`,
    { Entrypoint: ['/agnhost'], Cmd: ['pause'] },
    { '/agnhost': agnhost, ...withLibraries(['curl', 'dig']) },
  );
  containerd.importImage(`${promoted}/busybox:1.37.0-1`, { Cmd: ['sh'] });
  containerd.importImage('registry.k8s.io/pause:3.10.2', {
    Entrypoint: ['/bin/busybox', 'sleep', '2147483647'],
  });
  await run();
} finally {
  await machines.stop().catch(() => undefined);
  await containerd.stop();
  await machines.stop();
}

/** Programs of this machine that the public image has too, with all that they load. */
function withLibraries(programs: readonly string[]): Readonly<Record<string, string>> {
  const files = programs.flatMap((name) => {
    const program = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    const needed = execFileSync('ldd', [program], { encoding: 'utf8' });
    return [program, ...[...needed.matchAll(/(\/\S+) \(/g)].map(([, library = '']) => library)];
  });
  return Object.fromEntries(files.map((file) => [file, file]));
}

async function run(): Promise<void> {
  const folder = path.join(containerd.folder, 'cluster');
  const config = path.join(containerd.folder, 'kubelet.yaml');
  mkdirSync(folder);
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      cgroupRoot: `/${path.basename(containerd.folder)}`,
      podLogsDir: path.join(containerd.folder, 'pod-logs'),
      evictionHard: { 'memory.available': '0%' },
    }),
  );
  const up = machine!.coxswain(
    'up',
    '--node',
    '--in-memory',
    `--data-dir=${folder}`,
    `--kubelet-config=${config}`,
    `--container-runtime-endpoint=${containerd.endpoint}`,
    `--cni-conf-dir=${containerd.networkFolder}`,
  );
  await up.saying('Ready in');
  const report = path.join(containerd.folder, 'report.json');
  await machine!
    .runFreely(
      {},
      e2e!,
      `--kubeconfig=${folder}/kubeconfig`,
      `--kubectl-path=${process.env['KUBECTL'] ?? 'kubectl'}`,
      '--provider=skeleton',
      `--ginkgo.focus=${focus}`,
      `--ginkgo.timeout=${seconds}s`,
      `--ginkgo.json-report=${report}`,
      '--ginkgo.silence-skips',
      '--ginkgo.seed=1',
      `--repo-root=${path.dirname(program)}`,
    )
    .catch(() => undefined);
  tell(JSON.parse(readFileSync(report, 'utf8')) as readonly Report[]);
  const complaints = up
    .said()
    .split('\n')
    .filter((line) => /forbidden|refused|failed/.test(line));
  console.log([...new Set(complaints)].slice(0, 20).join('\n'));
  await up.stop();
}

interface Report {
  readonly SpecReports: readonly {
    readonly State: string;
    readonly LeafNodeType: string;
    readonly ContainerHierarchyTexts: readonly string[] | null;
    readonly LeafNodeText: string;
    readonly RunTime: number;
    readonly Failure?: { readonly Message: string };
  }[];
}

function tell(reports: readonly Report[]): void {
  const ran = reports
    .flatMap(({ SpecReports }) => SpecReports)
    .filter(({ State, LeafNodeType }) => State !== 'skipped' && LeafNodeType === 'It');
  for (const { State, ContainerHierarchyTexts, LeafNodeText, RunTime, Failure } of ran) {
    const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
    console.log(`${State} ${(RunTime / 1e9).toFixed(1)} s  ${name}`);
    if (Failure !== undefined) console.log(`    ${Failure.Message.slice(0, 400).replaceAll('\n', ' ')}`);
  }
  console.log(`${ran.filter(({ State }) => State === 'passed').length} of ${ran.length} passed`);
}
