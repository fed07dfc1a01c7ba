/**
 * Conformance tests of the original that need running containers, against one real node of ours, in a network of its own.
 * As root: `node test/nodes/conformance.ts --e2e=FILE --programs=FOLDER --focus=PATTERN`. `e2e.test` is built from the Go
 * module (`k8s.io/kubernetes/test/e2e`), so are the programs of the images (`conformance-images.ts`); with `--ginkgo=FILE`
 * (`github.com/onsi/ginkgo/v2/ginkgo`) tests run side by side. Prints what passed and what failed, and keeps it with
 * `--results=FILE`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { join, nodeFlags, startAllInOne, startServer } from './cluster-on-machines.ts';
import { importConformanceImages } from './conformance-images.ts';
import { keepOutcomes, readOutcomes, tellOutcomes } from './conformance-report.ts';
import { startContainerd } from './containerd.ts';
import type { Containerd } from './containerd.ts';
import { startMachines } from './machines.ts';
import type { Machine, RunningProgram } from './machines.ts';

const { values: options } = parseArgs({
  options: {
    e2e: { type: 'string', default: 'e2e.test' },
    /** Where programs of images lie; several, with commas. */
    programs: { type: 'string', default: '.' },
    focus: { type: 'string', default: String.raw`\[Conformance\]` },
    skip: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
    ginkgo: { type: 'string' },
    /** How many run at once, with ginkgo. */
    procs: { type: 'string', default: '4' },
    /** 1, or 2: some tests want to see pods on different machines. */
    nodes: { type: 'string', default: '1' },
    kubectl: { type: 'string', default: 'kubectl' },
    /** A file for all that tests say. */
    log: { type: 'string' },
    results: { type: 'string' },
  },
});
const repository = path.join(import.meta.dirname, '../..');

const machines = startMachines(options.nodes === '1' ? ['only'] : ['first', 'second']);
const [machine, other] = machines.all;
if (machine === undefined) throw new Error('no machine');
const runtimes: Containerd[] = [];
try {
  for (const { namespace } of machines.all) {
    const containerd = await startContainerd({ networkNamespace: namespace, hasNoNetwork: true });
    runtimes.push(containerd);
    const missing = importConformanceImages(containerd, options.programs.split(','));
    if (missing.length > 0) console.log(`Not made, as programs are missing: ${missing.join(', ')}`);
  }
  await run(machine, runtimes[0]!);
} catch (error) {
  console.log(error);
  process.exitCode = 1;
} finally {
  await machines.stop().catch(() => undefined);
  for (const containerd of runtimes) await containerd.stop();
}

async function run(machine: Machine, containerd: Containerd): Promise<void> {
  const folder = path.join(containerd.folder, 'cluster');
  const programs = await startNodes(machine, containerd, folder);
  const report = path.join(containerd.folder, 'report.json');
  const said = await machine
    .runFreely({}, ...testCommand(containerd.folder, folder))
    .catch((error: unknown) => String((error as { stdout?: string }).stdout));
  if (options.log !== undefined)
    writeFileSync(options.log, [said, ...programs.map((each) => each.said())].join('\n'));
  if (!existsSync(report)) throw new Error(`no report: ${said.slice(-2000)}`);
  const outcomes = readOutcomes(report);
  tellOutcomes(outcomes);
  if (options.results !== undefined) keepOutcomes(options.results, outcomes);
  for (const each of programs.reverse()) await each.stop();
}

/** One machine with everything, or a server that is a node and another one. */
async function startNodes(
  machine: Machine,
  containerd: Containerd,
  folder: string,
): Promise<RunningProgram[]> {
  // Plenty of room is not a thing of this test.
  const settings = { evictionHard: { 'memory.available': '0%' } };
  if (other === undefined) return [await startAllInOne(machine, containerd, folder, settings)];
  const flags = ['--node', ...nodeFlags(containerd, folder, settings)];
  const { program, invitation } = await startServer(machine, flags);
  const second = join(other, runtimes[1]!, invitation, settings);
  await second.saying('This machine is node');
  return [program, second];
}

/** Flags of ginkgo come before the program that has the tests where it starts several of them, else among its own. */
function testCommand(reports: string, folder: string): readonly string[] {
  const forTests = [
    `--kubeconfig=${folder}/kubeconfig`,
    `--kubectl-path=${options.kubectl}`,
    '--provider=skeleton',
    `--repo-root=${repository}`,
  ];
  const forGinkgo = [
    `focus=${options.focus}`,
    ...(options.skip === '' ? [] : [`skip=${options.skip}`]),
    `timeout=${options.seconds}s`,
    'silence-skips',
    'no-color',
    'seed=1',
  ];
  if (options.ginkgo === undefined) {
    const flags = [...forGinkgo, `json-report=${path.join(reports, 'report.json')}`];
    return [options.e2e, ...forTests, ...flags.map((flag) => `--ginkgo.${flag}`)];
  }
  const flags = [...forGinkgo, 'json-report=report.json', `output-dir=${reports}`, `procs=${options.procs}`];
  return [options.ginkgo, ...flags.map((flag) => `--${flag}`), options.e2e, '--', ...forTests];
}
