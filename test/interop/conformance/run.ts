/**
 * End-to-end tests of the original against real nodes of ours, each a machine with a network and a name of its own. As root:
 * `node test/interop/conformance/run.ts --e2e=FILE --ginkgo=FILE --programs=DIRECTORY --focus=PATTERN`. README.md tells how
 * the programs are built. Prints what passed and what failed, and writes it with `--results=FILE`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { join, nodeFlags, startAllInOne, startServer } from '../../nodes/cluster-on-machines.ts';
import { startContainerd, type Containerd } from '../../nodes/containerd.ts';
import { startMachines, type Machine, type RunningProgram } from '../../nodes/machines.ts';
import { makeImages } from './images.ts';
import { RegistryDirectory } from './registry-directory.ts';
import { keepRun, readOutcomes, tellOutcomes, type Circumstances } from './report.ts';

interface NodeOfTest {
  readonly machine: Machine;
  readonly containerd: Containerd;
}

const names = ['first', 'second', 'third'];
/** Not the usual one, which a test takes. */
const registryPort = '5999';

const { values: options } = parseArgs({
  options: {
    e2e: { type: 'string', default: 'e2e.test' },
    /** Where programs of images lie; several, with commas. */
    programs: { type: 'string', default: '.' },
    focus: { type: 'string', default: String.raw`\[Conformance\]` },
    skip: { type: 'string', default: '' },
    /** An expression of ginkgo: `!Conformance && !Serial`. */
    labels: { type: 'string', default: '' },
    seconds: { type: 'string', default: '600' },
    ginkgo: { type: 'string' },
    /** How many run at once, with ginkgo. */
    procs: { type: 'string', default: '4' },
    /** Up to 3: some tests want to see pods on different machines. */
    nodes: { type: 'string', default: '3' },
    /** Where the images are made. */
    images: { type: 'string', default: path.join(tmpdir(), 'coxswain-conformance-images') },
    kubectl: { type: 'string', default: 'kubectl' },
    /** A file for all that tests say. */
    log: { type: 'string' },
    results: { type: 'string' },
  },
});
const repository = path.join(import.meta.dirname, '../../..');

const images = new RegistryDirectory(options.images);
const missing = makeImages(images, options.programs.split(','));
if (missing.length > 0) console.log(`Not made, as programs are missing: ${missing.join(', ')}`);

const machines = startMachines(names.slice(0, Number(options.nodes)));
const nodes: NodeOfTest[] = [];
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`ended by ${signal}`)));
});
try {
  await Promise.race([prepareAndRun(), interrupted]);
} catch (error) {
  console.log(error);
  process.exitCode = 1;
} finally {
  await machines.stop().catch(() => undefined);
  for (const { containerd } of nodes) await containerd.stop();
}

async function prepareAndRun(): Promise<void> {
  for (const machine of machines.all) nodes.push(await prepare(machine));
  await run(nodes);
}

/** A machine with a container runtime, which pulls from a registry of the machine's own. */
async function prepare(machine: Machine): Promise<NodeOfTest> {
  const registry = path.join(import.meta.dirname, 'registry.ts');
  await machine.start(process.execPath, registry, options.images, registryPort).saying('listens');
  const containerd = await startContainerd({
    networkNamespace: machine.namespace,
    hasNoNetwork: true,
    mirrors: { 'registry.k8s.io': `http://127.0.0.1:${registryPort}` },
  });
  return { machine, containerd };
}

async function run(all: readonly NodeOfTest[]): Promise<void> {
  const [{ machine, containerd }] = all as [NodeOfTest];
  const directory = path.join(containerd.directory, 'cluster');
  const programs = await startNodes(all, directory);
  const report = path.join(containerd.directory, 'report.json');
  const tests = machine.start(...testCommand(containerd.directory, directory));
  await tests.ended;
  const said = tests.said();
  if (options.log !== undefined)
    writeFileSync(options.log, [said, ...programs.map((each) => each.said())].join('\n'));
  if (!existsSync(report)) throw new Error(`no report: ${said.slice(-2000)}`);
  const outcomes = readOutcomes(report);
  tellOutcomes(outcomes);
  if (options.results !== undefined) keepRun(options.results, circumstances(containerd), outcomes);
  for (const each of programs.toReversed()) await each.stop();
}

function circumstances({ ctr }: Containerd): Circumstances {
  const commit = execFileSync('git', ['-C', repository, 'rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
  });
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit.trim(),
    containerd: /Server:\s+Version: +(\S+)/.exec(ctr('version'))?.[1] ?? '',
    nodes: machines.all.length,
    focus: options.focus,
    skip: options.skip,
    labels: options.labels,
  };
}

/** The first is the server, and a node; the others join. */
async function startNodes(all: readonly NodeOfTest[], directory: string): Promise<RunningProgram[]> {
  const [{ machine, containerd }, ...others] = all as [NodeOfTest, ...NodeOfTest[]];
  if (others.length === 0) return [await startAllInOne(machine, containerd, directory)];
  const { program, invitation } = await startServer(machine, ['--node', ...nodeFlags(containerd, directory)]);
  const joined = others.map((other) => join(other.machine, other.containerd, invitation));
  for (const each of joined) await each.saying('This machine is node');
  return [program, ...joined];
}

/** Flags of ginkgo come before the program that has the tests where it starts several of them, else among its own. */
function testCommand(reports: string, directory: string): readonly string[] {
  const forTests = [
    `--kubeconfig=${directory}/kubeconfig`,
    `--kubectl-path=${options.kubectl}`,
    '--provider=skeleton',
    `--repo-root=${repository}`,
  ];
  const forGinkgo = [
    `focus=${options.focus}`,
    ...(options.skip === '' ? [] : [`skip=${options.skip}`]),
    ...(options.labels === '' ? [] : [`label-filter=${options.labels}`]),
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
