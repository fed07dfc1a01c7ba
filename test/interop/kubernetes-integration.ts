/**
 * `npm run kubernetes-integration -- --etcd FILE [--control FILE] [--run REGEX] PACKAGE…`: the tests of Kubernetes'
 * own test/integration, which run a kube-apiserver and controllers in their process, on our etcd and on the original's.
 * PACKAGE is a directory there (`quota`, `apiserver/apply`). Needs Go and its module proxy; the first build takes a while.
 * The exit status is 1 when a test passes with the control and not with ours.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals: packages } = parseArgs({
  allowPositionals: true,
  options: {
    etcd: { type: 'string', default: '' },
    control: { type: 'string', default: '' },
    run: { type: 'string', default: '.' },
    work: { type: 'string', default: path.join(tmpdir(), 'kubernetes-integration') },
  },
});

const version = 'v1.36.3';
const stagingVersion = version.replace('v1.', 'v0.');
const timeout = '30m';
const at = (...names: readonly string[]): string => path.join(options.work, ...names);
const goEnvironment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' };
const go = (args: readonly string[], stdout: 'pipe' | 'inherit' = 'inherit'): string =>
  String(
    execFileSync('go', args, {
      cwd: at('module'),
      env: goEnvironment,
      stdio: ['ignore', stdout, 'inherit'],
    }) ?? '',
  );

/** A module that builds Kubernetes' packages from the proxy, and its sources where tests look for files. */
async function prepare(): Promise<void> {
  if (existsSync(at('kubernetes'))) return;
  await mkdir(at('module'), { recursive: true });
  await writeFile(at('module', 'go.mod'), 'module integration.example\n');
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], 'pipe')) as {
    readonly Dir: string;
  };
  const modules = path.dirname(Dir);
  const described = await readFile(path.join(Dir, 'go.mod'), 'utf8');
  const required = [...described.matchAll(/^\t(\S+) (v\S+)/gm)].filter(([, , at]) => at !== 'v0.0.0');
  const staged = [...described.matchAll(/^\t(\S+) => \.\/staging/gm)].map(([, name]) => name!);
  const lines = [
    'module integration.example',
    'go 1.26.0',
    `require k8s.io/kubernetes ${version}`,
    ...required.map(([, name, at]) => `require ${name} ${at}`),
    ...staged.map((name) => `replace ${name} => ${name} ${stagingVersion}`),
  ];
  await writeFile(at('module', 'go.mod'), `${lines.join('\n')}\n`);
  await cp(path.join(Dir, 'go.sum'), at('module', 'go.sum'));
  go(['mod', 'download', 'k8s.io/api']);
  await cp(Dir, at('kubernetes.partial'), { recursive: true });
  execFileSync('chmod', ['-R', 'u+w', at('kubernetes.partial')]);
  await mkdir(at('kubernetes.partial', 'staging', 'src', 'k8s.io'), { recursive: true });
  for (const name of await readdir(modules)) {
    const [module = '', of] = name.split('@');
    const link = at('kubernetes.partial', 'staging', 'src', 'k8s.io', module);
    if (of === stagingVersion) await symlink(path.join(modules, name), link);
  }
  await cp(at('kubernetes.partial'), at('kubernetes'), { recursive: true, verbatimSymlinks: true });
  await rm(at('kubernetes.partial'), { recursive: true });
}

const flat = (name: string): string => name.replaceAll('/', '_');

/** What each test of a package came to, with this etcd. */
async function outcomes(name: string, side: string, etcd: string): Promise<ReadonlyMap<string, string>> {
  const directory = at(`etcd-${side}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await symlink(path.resolve(etcd), path.join(directory, 'etcd'));
  const log = at(`${flat(name)}.${side}.log`);
  const child = spawn(
    at('bin', flat(name)),
    ['-test.v', '-test.run', options.run, '-test.timeout', timeout],
    {
      cwd: at('kubernetes', 'test', 'integration', name),
      // An address where nobody listens: then the tests start the etcd of the path.
      env: {
        ...process.env,
        PATH: `${directory}:${process.env['PATH']}`,
        KUBE_INTEGRATION_ETCD_URL: 'http://127.0.0.1:1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  await new Promise((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve) => file.end(resolve));
  const found = (await readFile(log, 'utf8')).matchAll(/^\s*--- (PASS|FAIL|SKIP): (\S+) /gm);
  return new Map([...found].map(([, outcome, test]) => [test!, outcome!]));
}

const countOf = (tests: ReadonlyMap<string, string>): string =>
  `${[...tests.values()].filter((outcome) => outcome === 'PASS').length} of ${tests.size}`;

await prepare();
for (const name of packages) {
  go(['test', '-c', '-o', at('bin', flat(name)), `k8s.io/kubernetes/test/integration/${name}`]);
  const ours = await outcomes(name, 'ours', options.etcd);
  const control = options.control === '' ? undefined : await outcomes(name, 'control', options.control);
  console.log(`${name}: passed ${countOf(ours)}${control ? `; the control ${countOf(control)}` : ''}`);
  for (const [test, outcome] of control ?? ours) {
    if (outcome !== 'PASS' || ours.get(test) === 'PASS') continue;
    console.log(`  only with the control: ${test}`);
    process.exitCode = 1;
  }
}
