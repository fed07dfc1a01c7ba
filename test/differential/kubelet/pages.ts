/** The pages of the kubelet's port: shapes of documents, names and labels of metrics. */
import { familiesOf, type Family } from '../../metrics/families.ts';
import { differences } from './difference.ts';
import { standing } from './pod-story.ts';
import type { Side, Sides } from './sides.ts';

const metricPages = ['/metrics', '/metrics/resource', '/metrics/cadvisor', '/metrics/probes'];
const documentPages = ['/configz', '/stats/summary', '/pods', '/runningpods/'];
const textPages = [
  '/healthz',
  '/healthz/ping',
  '/healthz/log',
  '/healthz/syncloop',
  '/nothing',
  '/checkpoint',
];
/** Of the languages' runtimes, which differ. */
const ofRuntime = /^(go|nodejs|process)_/;

export async function pageDifferences({
  all,
}: Sides): Promise<readonly (readonly [string, readonly string[]])[]> {
  const [original, ours] = all;
  const found: [string, readonly string[]][] = [];
  for (const page of metricPages) found.push([page, await compareMetrics(page, original, ours)]);
  for (const page of documentPages)
    found.push([page, differences(await documentOf(page, original), await documentOf(page, ours))]);
  for (const page of textPages)
    found.push([
      page,
      differences(
        standing(await original.page(page), original.places),
        standing(await ours.page(page), ours.places),
      ),
    ]);
  return found;
}

async function compareMetrics(page: string, original: Side, ours: Side): Promise<readonly string[]> {
  const [expected, got] = await Promise.all(
    [original, ours].map(async (side) => familiesOf(bodyOf(await side.page(page)))),
  );
  const missing = [...expected!.values()].flatMap((family) => {
    const difference = ofRuntime.test(family.name)
      ? undefined
      : familyDifference(family, got!.get(family.name));
    return difference === undefined ? [] : [`${family.stability ?? '-'} ${family.name}: ${difference}`];
  });
  const own = [...got!.keys()].filter((name) => !expected!.has(name) && !ofRuntime.test(name));
  return [...missing, ...own.map((name) => `only ours: ${name}`)];
}

function familyDifference(expected: Family, got: Family | undefined): string | undefined {
  if (got === undefined) return `missing (${expected.type} {${[...expected.labels].join('} {')}})`;
  if (expected.type !== got.type) return `${expected.type}, ours ${got.type}`;
  if (expected.stability !== got.stability) return `[${expected.stability}], ours [${got.stability}]`;
  const labels = [...expected.labels].filter((each) => !got.labels.has(each));
  if (labels.length > 0) return `labels {${labels.join('} {')}}, ours {${[...got.labels].join('} {')}}`;
  if (expected.bounds.join() !== got.bounds.join())
    return `buckets ${expected.bounds.join()}, ours ${got.bounds.join()}`;
  return undefined;
}

const bodyOf = (answer: string): string => answer.slice(answer.indexOf(' ') + 1);

/** The shape alone: figures differ from moment to moment. */
async function documentOf(page: string, side: Side): Promise<unknown> {
  const text = standing(bodyOf(await side.page(page)), side.places);
  try {
    const document = JSON.parse(text) as unknown;
    return page === '/configz' ? document : shapeOf(document);
  } catch {
    return text;
  }
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return [...new Map(value.map((each) => [JSON.stringify(shapeOf(each)), shapeOf(each)])).values()];
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
  return typeof value;
}
