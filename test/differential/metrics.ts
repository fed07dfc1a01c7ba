/**
 * `npm run differ-metrics -- --peers DIR`: starts a real API server, controller manager and scheduler and ours, lets
 * both do the same work, and prints which families of metrics differ in name, type, labels or buckets. See README.md.
 */
import { parseArgs } from 'node:util';
import { writeAssets } from 'coxswain/program/assets.ts';
import { familiesOf, type Family } from '../metrics/families.ts';
import { hasPrograms, startPrograms, type ProgramName, type Programs } from '../metrics/programs.ts';
import { moveTraffic } from '../metrics/traffic.ts';

const { values } = parseArgs({
  options: {
    peers: { type: 'string', default: '' },
    /** Only what is promised. */
    stable: { type: 'boolean', default: false },
    /** Waits until files are read again, which takes a minute. */
    reloads: { type: 'boolean', default: false },
  },
});
if (!hasPrograms(values.peers)) {
  console.error(
    '--peers names a directory with etcd, kube-apiserver, kube-controller-manager and kube-scheduler',
  );
  process.exit(2);
}

type Scrape = ReadonlyMap<ProgramName, ReadonlyMap<string, Family>>;

const paths: Readonly<Record<ProgramName, readonly string[]>> = {
  'kube-apiserver': ['/metrics', '/metrics/slis'],
  'kube-controller-manager': ['/metrics', '/metrics/slis'],
  'kube-scheduler': ['/metrics', '/metrics/slis', '/metrics/resources'],
};
/** Of the runtimes, which differ. */
const ofRuntime = /^(go|nodejs|process)_/;

const original = await scraped(values.peers, false);
const ours = await scraped(await writeAssets(), true);
let differing = 0;
for (const [program, expected] of original) {
  const got = ours.get(program)!;
  console.log(`\n${program}: ${expected.size} families, ours ${got.size}`);
  for (const family of expected.values()) {
    if (values.stable && family.stability !== 'STABLE' && family.stability !== 'BETA') continue;
    const difference = differenceOf(family, got.get(family.name));
    if (difference === undefined) continue;
    differing++;
    console.log(`  ${family.stability ?? '-'} ${family.name}: ${difference}`);
  }
  const own = [...got.keys()].filter((name) => !expected.has(name) && !ofRuntime.test(name));
  if (own.length > 0) console.log(`  only ours: ${own.join(' ')}`);
}
console.log(`\n${differing} families differ`);
process.exit(differing === 0 ? 0 : 1);

async function scraped(bin: string, isOurs: boolean): Promise<Scrape> {
  const programs = await startPrograms(bin, isOurs);
  try {
    await moveTraffic(programs, values.reloads);
    const found = new Map<ProgramName, ReadonlyMap<string, Family>>();
    for (const program of Object.keys(paths) as ProgramName[])
      found.set(program, await familiesAt(programs, program));
    return found;
  } finally {
    await programs.stop();
  }
}

async function familiesAt(programs: Programs, program: ProgramName): Promise<ReadonlyMap<string, Family>> {
  const families = new Map<string, Family>();
  for (const at of paths[program]) {
    const { status, text } = await programs.ask(program, 'GET', at);
    if (status !== 200) continue;
    for (const [name, family] of familiesOf(text)) if (!ofRuntime.test(name)) families.set(name, family);
  }
  return families;
}

function differenceOf(expected: Family, got: Family | undefined): string | undefined {
  if (got === undefined) return `is missing (${expected.type}, labels ${[...expected.labels].join(' | ')})`;
  const parts = [
    expected.type === got.type ? '' : `is a ${expected.type}, ours a ${got.type}`,
    expected.stability === got.stability ? '' : `is ${expected.stability}, ours ${got.stability}`,
    [...got.labels].some((labels) => !expected.labels.has(labels))
      ? `labels ${[...expected.labels].join(' | ')}, ours ${[...got.labels].join(' | ')}`
      : '',
    expected.bounds.join() === got.bounds.join()
      ? ''
      : `buckets ${expected.bounds.join(' ')}, ours ${got.bounds.join(' ')}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('; ');
}
