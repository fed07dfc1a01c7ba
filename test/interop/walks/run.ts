/**
 * `npm run walks [NAME…]`: in an empty directory and with empty caches, installs the packed package and the library of each language
 * as the READMEs say, runs their example, and writes what that took into `results.json`, of which the page about other languages
 * is made. Needs `npm run build`; languages whose tools are missing are left out. With `--real-time`, as root, the tests run before
 * all other programs of the machine. The exit status is 1 when an assertion failed.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { walks, type Walk } from './walks.ts';
import type { WalkResult, WalkResults } from './results.ts';

const root = path.join(import.meta.dirname, '../../..');
const results = path.join(import.meta.dirname, 'results.json');
const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-walks-'));
const { values, positionals: asked } = parseArgs({
  options: { 'real-time': { type: 'boolean', default: false } },
  allowPositionals: true,
});

try {
  execFileSync('npm', ['pack', './dist/npm', '--silent', `--pack-destination=${directory}`], { cwd: root });
  const archive = path.join(
    directory,
    readdirSync(directory).find((name) => name.endsWith('.tgz'))!,
  );
  const all = walks({ archive, clients: path.join(root, 'clients') });
  const taken = all.filter(
    ({ name, needs }) => (asked.length === 0 || asked.includes(name)) && isHere(needs),
  );
  const measured = taken.flatMap((walk) => walked(walk) ?? []);
  const before = (JSON.parse(readFileSync(results, 'utf8')) as WalkResults).walks;
  // Rows of languages that were left out keep the date of their own run; a failed run has none.
  const kept = before.filter(({ name }) => !taken.some((walk) => walk.name === name));
  const found = [...measured, ...kept];
  const walksInOrder = all.flatMap(({ name }) => found.find((result) => result.name === name) ?? []);
  writeFileSync(results, `${JSON.stringify({ walks: walksInOrder } satisfies WalkResults, undefined, 2)}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}

function isHere(command: string): boolean {
  return spawnSync('bash', ['-c', command], { stdio: 'ignore' }).status === 0;
}

/** @returns undefined when it failed */
function walked({ name, files, install, compile, test, passed }: Walk): WalkResult | undefined {
  console.log(`== ${name}`);
  const project = path.join(directory, name.replaceAll(/\W/g, '-'));
  for (const [file, text] of Object.entries({ 'package.json': '{ "private": true }\n', ...files })) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  const env = { ...process.env, ...emptyCaches(path.join(project, '.caches')) };
  const run = (line: string) => timed(line, project, env);
  const installed = install.map(run);
  const compiled = compile === undefined ? undefined : run(compile);
  const first = run(values['real-time'] ? `chrt --rr 20 ${test}` : test);
  const holds = passed.test(first.output);
  if (!holds) {
    process.exitCode = 1;
    console.error([...installed, first].map(({ output }) => output).join('\n'));
    return undefined;
  }
  const result = {
    name,
    ...circumstances(),
    downloadedBytes: downloaded(path.join(project, '.caches')),
    installSeconds: installed.reduce((sum, { seconds }) => sum + seconds, 0),
    ...(compiled !== undefined && { compileProcessorSeconds: compiled.processorSeconds }),
    assertionSeconds: first.seconds,
  };
  console.log(JSON.stringify(result));
  return result;
}

function emptyCaches(caches: string): NodeJS.ProcessEnv {
  return {
    COXSWAIN_COMMAND: '',
    npm_config_cache: path.join(caches, 'npm'),
    PIP_CACHE_DIR: path.join(caches, 'pip'),
    PIP_FIND_LINKS: '',
    GOMODCACHE: path.join(caches, 'go'),
    GOCACHE: path.join(caches, 'go-build'),
    GOFLAGS: '-modcacherw',
    CARGO_HOME: path.join(caches, 'cargo'),
    MAVEN_OPTS: `-Dmaven.repo.local=${path.join(caches, 'maven')}`,
    XDG_CACHE_HOME: path.join(caches, 'xdg'),
  };
}

/** As they came over the network, the packed package among them: none of these are unpacked there. */
function downloaded(caches: string): number {
  const patterns = [
    'npm/_cacache/content-v2/**',
    'pip/**',
    'go/cache/download/**',
    'cargo/registry/cache/**',
    'maven/**',
  ];
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: caches, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

interface Timed {
  readonly output: string;
  readonly seconds: number;
  /** Of all that it waited for. */
  readonly processorSeconds: number;
}

function timed(line: string, cwd: string, env: NodeJS.ProcessEnv): Timed {
  const script = `TIMEFORMAT='%R %U %S'; time { ${line}; }`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // Maven ends with a colour, and no new line.
  const [, seconds, user, system] = /([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr)!.map(Number);
  return { output: `$ ${line}\n${stdout}${stderr}`, seconds: seconds!, processorSeconds: user! + system! };
}

function circumstances(): Pick<WalkResult, 'date' | 'commit' | 'machine'> {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const [{ model = '' } = {}] = os.cpus();
  const machine = `${os.cpus().length} × ${model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB`;
  return { date: new Date().toISOString().slice(0, 10), commit, machine };
}
